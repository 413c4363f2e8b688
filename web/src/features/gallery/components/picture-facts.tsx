import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useUser } from '@/features/auth'
import { Comments, CommentsDrawer, type Post } from '@/features/comments'
import type { OutputAsset } from '@/shared/api/types'
import { formatCount, formatDate, formatDuration, formatRelative } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { usePersonName } from '@/shared/lib/person-name'
import { useMedia, WIDE } from '@/shared/lib/use-media'
import { Avatar } from '@/shared/ui/avatar'
import { Chip } from '@/shared/ui/chip'
import { type Fact, FactRows } from '@/shared/ui/fact-rows'
import { Icon } from '@/shared/ui/icon'
import { daysLeft, expiryOf } from '../model'
import styles from '../pages/picture-page.module.css'
import { type GraphToggle, PictureActions } from './picture-actions'
import { PictureOrigin } from './picture-origin'

type PictureFactsProps = {
  picture: OutputAsset
  own: boolean
  admin: boolean
  cross: ReactNode
  /** Whether the graph is shown in place of the picture. */
  graph: GraphToggle
  onGone: () => void
}

/** Author, date and duration of a picture, and its actions. */
export function PictureFacts({ picture, own, admin, cross, graph, onGone }: PictureFactsProps) {
  const { t } = useTranslation('gallery')
  const { t: moderation } = useTranslation('moderation')
  const nameOf = usePersonName()
  const author = picture.user
  return (
    <aside className={styles.side} aria-label={t('facts')}>
      <div className={styles.top}>
        {author && (
          <Link className={styles.author} to={admin ? paths.admin.profile(author._id) : paths.profile(author._id)}>
            <Avatar name={nameOf(author)} url={author.profile?.thumbnailUrl ?? author.socialProfile} />
            {nameOf(author)}
          </Link>
        )}
        {cross}
      </div>
      <Counts picture={picture} />
      {(own || admin) && (
        <span className={styles.chips}>
          {picture.moderation ? (
            <Chip tone="warn">{moderation('heldBack.chip')}</Chip>
          ) : (
            <Chip tone={picture.isPrivate ? 'plain' : 'good'}>{t(picture.isPrivate ? 'private' : 'public')}</Chip>
          )}
          {picture.isNsfw && <Chip tone="warn">{t('nsfw')}</Chip>}
        </span>
      )}
      <Facts picture={picture} own={own} />
      <PictureOrigin key={`origin-${picture._id}`} picture={picture} own={own} />
      <PictureActions picture={picture} own={own} admin={admin} graph={graph} onGone={onGone} />
      <PictureComments key={picture._id} picture={picture} />
    </aside>
  )
}

function Counts({ picture }: { picture: OutputAsset }) {
  const { t } = useTranslation('gallery')
  const counts = [
    { icon: 'eye', count: picture.viewCount, text: t('views', { count: picture.viewCount }) },
    { icon: 'heart', count: picture.likeCount, text: t('likes', { count: picture.likeCount }) },
  ] as const
  if (picture.isPrivate) return null
  return (
    <p className={styles.counts}>
      {counts.map(({ icon, count, text }) => (
        <span key={icon}>
          <Icon name={icon} size={16} />
          <span aria-hidden="true">{formatCount(count)}</span>
          <span className="visually-hidden">{text}</span>
        </span>
      ))}
    </p>
  )
}

function Facts({ picture, own }: { picture: OutputAsset; own: boolean }) {
  const { t, i18n } = useTranslation('gallery')
  const { t: jobs } = useTranslation('jobs')
  const user = useUser()
  const { width, height } = picture.asset
  const facts: Fact[] = [
    [t('createdAt'), `${formatDate(picture.createdAt)} · ${formatRelative(picture.createdAt, i18n.language)}`],
  ]
  if (picture.job.duration != null) facts.push([jobs('duration'), formatDuration(picture.job.duration)])
  if (picture.fileName) facts.push([t('fileName'), picture.fileName])
  if (width && height) facts.push([t('size'), `${width} × ${height}`])
  const length = picture.asset.metadata?.duration
  if (length) facts.push([t('length'), formatDuration(length)])
  if (own && picture.isPrivate && user) {
    const end = expiryOf(picture)
    const left = daysLeft(end, Date.now())
    const when = left === 0 ? t('scheduled') : t('daysLeft', { count: left })
    facts.push([t('expires'), `${formatDate(new Date(end).toISOString())} · ${when}`])
  }
  return (
    <dl className={styles.facts}>
      <FactRows facts={facts} />
    </dl>
  )
}

/** Comments on a public picture: beside it, or in a drawer on narrow screens. */
function PictureComments({ picture }: { picture: OutputAsset }) {
  const wide = useMedia(WIDE)
  if (picture.isPrivate) return null
  const post: Post = { kind: 'outputAsset', id: picture._id }
  if (!wide) {
    return (
      <div className={styles.drawer}>
        <CommentsDrawer post={post} postAuthor={picture.user?._id} />
      </div>
    )
  }
  return (
    <div className={styles.comments}>
      <Comments post={post} postAuthor={picture.user?._id} />
    </div>
  )
}
