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
import { Picture } from '@/shared/ui/picture'
import { useVeil, Veil } from '@/shared/ui/veiled'
import { type Blocked, hiddenBecause, type OpenedFrom, type PictureList } from '../model'
import { useLikePress } from '../use-like-press'
import { HeldBack } from './held-back'
import styles from './picture-tile.module.css'

/** How a press on a tile changes what is selected. */
export type Pick = (id: string, how: 'one' | 'range') => void

type PictureTileProps = {
  picture: OutputAsset
  list: PictureList
  /** The page below the picture once it is open. */
  under: string
  eager?: boolean
  /** How wide it is drawn; as a cell of the gallery's grid where nothing is said. */
  slots?: Slot[]
  selected?: boolean
  /** Whether anything is: then a plain press selects too. */
  anySelected?: boolean
  /** Without it nothing can be selected here. */
  pick?: Pick | undefined
}

export const GRID_SLOTS: Slot[] = [
  { upTo: 639, wide: 'calc(50vw - 18px)' },
  { upTo: 1023, wide: 'calc(33vw - 15px)' },
  { wide: 'min(20vw - 66px, 330px)' },
]

/** As a cell of a profile's album, which becomes no wider. */
export const ALBUM_SLOTS: Slot[] = [{ wide: '180px' }]

/** One picture of a grid. It opens above the list that it came from. */
export const PictureTile = memo(function PictureTile(props: PictureTileProps) {
  const { picture, list, under, eager, slots = GRID_SLOTS, selected = false, anySelected = false, pick } = props
  const { t, i18n } = useTranslation('gallery')
  const nameOf = usePersonName()
  const { veiled, lift } = useVeil(picture.isNsfw, picture._id)
  const blocked = hiddenBecause(picture, list)
  const likable = list.of !== 'mine' && list.of !== 'unpublished' && !veiled && !picture.isPrivate
  const { own } = useLikePress(picture)
  if (blocked) return <Covered why={blocked} picture={picture} slots={slots} />
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
      {veiled ? (
        <div className={styles.link}>
          <Veil onLift={lift}>
            <Face picture={picture} slots={slots} eager={eager} />
          </Veil>
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
            <HeldBack hidden={picture.moderation} small />
          ) : (
            <Face picture={picture} slots={slots} eager={eager} />
          )}
          {!mine && (
            <span className={styles.words}>
              <span className={styles.author}>{author}</span>
              {/* Where there is a button for it, the button shows the number. */}
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

/** The heart of a card, as on the page of the picture. */
function LikeMark({ picture }: { picture: OutputAsset }) {
  const { t } = useTranslation('gallery')
  const { liked, own, press } = useLikePress(picture)
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

/** The place of a picture that cannot be opened here. It takes neither a press nor the focus. */
function Covered({ why, picture, slots }: Omit<FaceProps, 'eager'> & { why: Blocked }) {
  const { t } = useTranslation('gallery')
  return (
    <div
      className={classNames(styles.tile, styles.blocked, why !== 'public' && styles.unseen)}
      title={t(`blocked.${why}`)}
    >
      {picture.optimalUrl && <Face picture={picture} slots={slots} eager={false} />}
      <span className={styles.veil}>
        <Icon name={SIGNS[why]} size={24} />
        {t(`blocked.${why}`)}
      </span>
    </div>
  )
}
