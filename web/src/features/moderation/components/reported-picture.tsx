import { useTranslation } from 'react-i18next'
import type { ReportKind, Snapshot } from '@/shared/api/types'
import { Icon, type IconName } from '@/shared/ui/icon'
import { Picture } from '@/shared/ui/picture'
import { RetryingImage } from '@/shared/ui/retrying-image'
import styles from './reported-picture.module.css'

type Seen = Snapshot['picture']

const ICONS: Record<ReportKind, IconName> = {
  Workflow: 'workflow',
  OutputAsset: 'picture',
  Comment: 'speech',
  Asset: 'picture',
}

export function ReportedThumb({ kind, picture }: { kind: ReportKind; picture: Seen | undefined }) {
  if (picture && (picture.kind === 'image' || picture.posterUrl)) {
    return (
      <Picture
        className={styles.thumb}
        src={picture.posterUrl ?? picture.thumbnailUrl}
        fallback={null}
        alt=""
        ratio={1}
      />
    )
  }
  return (
    <span className={styles.glyph}>
      <Icon name={ICONS[kind]} size={26} />
    </span>
  )
}

export function ReportedPicture({ picture }: { picture: NonNullable<Seen> }) {
  const { t } = useTranslation('moderation')
  if (picture.kind === 'video') {
    return (
      <video
        className={styles.large}
        src={picture.url}
        poster={picture.posterUrl ?? undefined}
        controls
        muted
        preload="metadata"
        aria-label={t('case.picture')}
      />
    )
  }
  if (picture.kind === 'audio') {
    return (
      // biome-ignore lint/a11y/useMediaCaption: user content has no captions.
      <audio className={styles.sound} src={picture.url} controls preload="none" aria-label={t('case.picture')} />
    )
  }
  if (picture.kind === 'file') return null
  return <RetryingImage className={styles.large} src={picture.url} alt={t('case.picture')} decoding="async" />
}
