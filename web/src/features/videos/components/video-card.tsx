import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { CommunityVideo } from '@/shared/api/types'
import { formatUtcDay } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { Icon } from '@/shared/ui/icon'
import { RetryingImage } from '@/shared/ui/retrying-image'
import { frameUrl } from '../model'
import styles from './video-card.module.css'

type VideoCardProps = { video: CommunityVideo; eager?: boolean; children?: ReactNode }

/** A video: our copy of its preview, replaced by YouTube's player on play. */
export function VideoCard({ video, eager = false, children }: VideoCardProps) {
  const { t } = useTranslation('videos')
  return (
    <article className={styles.card}>
      <Stage video={video} eager={eager} />
      <div className={styles.words}>
        <h3 className={styles.name}>{video.name}</h3>
        <p className={styles.meta}>
          <Link className={styles.author} to={paths.videos({ author: video.author_name })}>
            {video.author_name}
          </Link>
          <time dateTime={video.youtubeCreatedAt}>{formatUtcDay(video.youtubeCreatedAt)}</time>
          <a
            className={styles.out}
            href={video.url}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={t('openAtYoutube', { name: video.name })}
            title={t('atYoutube')}
          >
            <Icon name="open" size={16} />
          </a>
        </p>
      </div>
      {children}
    </article>
  )
}

function Stage({ video, eager }: { video: CommunityVideo; eager: boolean }) {
  const { t } = useTranslation('videos')
  const [playing, setPlaying] = useState(false)
  const frame = frameUrl(video.youtubeId)
  if (playing && frame) {
    return (
      <iframe
        className={styles.stage}
        src={frame}
        title={video.name}
        referrerPolicy="strict-origin-when-cross-origin"
        allow="autoplay; encrypted-media; picture-in-picture; fullscreen"
        sandbox="allow-scripts allow-same-origin allow-presentation allow-popups"
        allowFullScreen
      />
    )
  }
  return (
    <button
      type="button"
      className={styles.stage}
      aria-label={t('play', { name: video.name })}
      onClick={() => setPlaying(true)}
    >
      {video.poster && (
        <RetryingImage
          className={styles.poster}
          src={video.poster.url}
          alt=""
          loading={eager ? 'eager' : 'lazy'}
          decoding="async"
        />
      )}
      <span className={styles.play}>
        <Icon name="play" size={24} />
      </span>
    </button>
  )
}
