import { type MouseEvent, memo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { OutputAsset } from '@/shared/api/types'
import { classNames } from '@/shared/lib/class-names'
import { formatCount, formatRelative } from '@/shared/lib/format'
import type { Slot } from '@/shared/lib/media'
import { paths } from '@/shared/lib/paths'
import { usePersonName } from '@/shared/lib/person-name'
import { Icon, type IconName } from '@/shared/ui/icon'
import { NoPreview } from '@/shared/ui/no-preview'
import { NsfwOverlay, useNsfwOverlay } from '@/shared/ui/nsfw-overlay'
import { Picture } from '@/shared/ui/picture'
import { type Blocked, blockedReason, type OpenedFrom, type PictureList } from '../model'
import { useLikeButton } from '../use-like-button'
import { HiddenByModerator } from './hidden-by-moderator'
import styles from './picture-tile.module.css'

/** A press on a tile: selects one picture or a range. */
export type SelectTile = (id: string, how: 'one' | 'range') => void

type PictureTileProps = {
  picture: OutputAsset
  list: PictureList
  /** The address of the list below the open picture. */
  under: string
  eager?: boolean
  /** The displayed width; default is a cell of the gallery's grid. */
  slots?: Slot[]
  selected?: boolean
  /** With a selection a plain press selects too. */
  anySelected?: boolean
  /** Without it nothing can be selected. */
  pick?: SelectTile | undefined
}

export const GRID_SLOTS: Slot[] = [
  { upTo: 639, wide: 'calc(50vw - 18px)' },
  { upTo: 1023, wide: 'calc(33vw - 15px)' },
  { wide: 'min(20vw - 66px, 330px)' },
]

/** A cell of a profile's album. */
export const ALBUM_SLOTS: Slot[] = [{ wide: '180px' }]

/** One picture of a grid. It opens above its list. */
export const PictureTile = memo(function PictureTile(props: PictureTileProps) {
  const { picture, list, under, eager, slots = GRID_SLOTS, selected = false, anySelected = false, pick } = props
  const { t, i18n } = useTranslation('gallery')
  const nameOf = usePersonName()
  const { hidden, reveal } = useNsfwOverlay(picture.isNsfw, picture._id)
  const blocked = blockedReason(picture, list)
  const likable = list.of !== 'mine' && list.of !== 'unpublished' && !hidden && !picture.isPrivate
  const { own } = useLikeButton(picture)
  if (blocked) return <BlockedTile why={blocked} picture={picture} slots={slots} />
  const date = () => formatRelative(picture.createdAt, i18n.language)
  const author = picture.user && nameOf(picture.user)
  const mine = list.of === 'mine' || list.of === 'unpublished'
  const press = (event: MouseEvent) => {
    if (!pick) return
    const range = event.shiftKey
    if (!range && !event.ctrlKey && !event.metaKey && !anySelected) return
    event.preventDefault()
    pick(picture._id, range ? 'range' : 'one')
  }
  const to = list.of === 'admin' ? paths.admin.picture(picture._id) : paths.picture(picture._id)
  return (
    <div className={classNames(styles.tile, selected && styles.selected)}>
      {hidden ? (
        <div className={styles.link}>
          <NsfwOverlay onReveal={reveal}>
            <Face picture={picture} slots={slots} eager={eager} />
          </NsfwOverlay>
        </div>
      ) : (
        <Link
          className={styles.link}
          to={to}
          state={{ list, under } satisfies OpenedFrom}
          preventScrollReset
          draggable={false}
          aria-label={mine || !author ? t('open', { date: date() }) : t('openBy', { name: author })}
          onClick={press}
        >
          {picture.moderation && list.of !== 'admin' ? (
            <HiddenByModerator hidden={picture.moderation} small />
          ) : (
            <Face picture={picture} slots={slots} eager={eager} />
          )}
          {!mine && (
            <span className={styles.words}>
              <span className={styles.author}>{author}</span>
              {/* The like button, if there is one, shows the number. */}
              {(own || !likable) && (
                <span className={styles.likes}>
                  <Icon name="heart" size={14} />
                  {formatCount(picture.likeCount)}
                </span>
              )}
            </span>
          )}
        </Link>
      )}
      <span className={styles.badges}>
        {picture.isPrivate && (
          <span className={styles.badge} title={t('private')}>
            <Icon name="lock" size={14} />
          </span>
        )}
        {picture.isNsfw && <span className={styles.word}>{t('nsfw')}</span>}
        {picture.kind === 'video' && (
          <span className={styles.badge} title={t('video')}>
            <Icon name="video" size={14} />
          </span>
        )}
      </span>
      {likable && <LikeMark picture={picture} />}
      {pick && (
        <label className={classNames(styles.check, anySelected && styles.checkShown)}>
          <input
            type="checkbox"
            checked={selected}
            aria-label={t('select', { date: date() })}
            onChange={() => undefined}
            onClick={(event) => pick(picture._id, event.shiftKey ? 'range' : 'one')}
          />
          <Icon name="check" size={16} />
        </label>
      )}
    </div>
  )
})

function LikeMark({ picture }: { picture: OutputAsset }) {
  const { t } = useTranslation('gallery')
  const { liked, own, press } = useLikeButton(picture)
  if (own) return null
  return (
    <button
      type="button"
      className={classNames(styles.like, liked && styles.liked)}
      aria-pressed={liked}
      aria-label={t('like')}
      title={t(liked ? 'liked' : 'like')}
      onClick={press}
    >
      <Icon name="heart" size={16} />
      <span aria-hidden="true">{formatCount(picture.likeCount)}</span>
    </button>
  )
}

type FaceProps = { picture: OutputAsset; slots: Slot[]; eager: boolean | undefined }

function Face({ picture, slots, eager }: FaceProps) {
  const still = picture.kind !== 'video'
  if (still && !picture.hasPreview) {
    return <NoPreview kind={picture.kind} name={picture.fileName ?? picture.format.toUpperCase()} small />
  }
  return (
    <Picture
      className={styles.face as string}
      src={still ? picture.optimalUrl : picture.rawUrl}
      fallback={picture.rawUrl}
      slots={slots}
      natural={picture.asset}
      alt=""
      video={!still}
      poster={picture.asset.metadata?.videoPreviewImageUrl}
      blur={picture.asset.blurHash}
      eager={eager ?? false}
    />
  )
}

const SIGNS: Record<Blocked, IconName> = { deleted: 'trash', hidden: 'eyeOff', public: 'globe' }

/** A picture that cannot be opened. It takes neither presses nor the focus. */
function BlockedTile({ why, picture, slots }: Omit<FaceProps, 'eager'> & { why: Blocked }) {
  const { t } = useTranslation('gallery')
  return (
    <div
      className={classNames(styles.tile, styles.blocked, why !== 'public' && styles.unseen)}
      title={t(`blocked.${why}`)}
    >
      {picture.optimalUrl && <Face picture={picture} slots={slots} eager={false} />}
      <span className={styles.nsfw}>
        <Icon name={SIGNS[why]} size={24} />
        {t(`blocked.${why}`)}
      </span>
    </div>
  )
}
