import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { OutputAsset } from '@/shared/api/types'
import { formatRelative } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { Icon } from '@/shared/ui/icon'
import { Picture } from '@/shared/ui/picture'
import styles from './picture-tile.module.css'

type PictureTileProps = { picture: OutputAsset; list: 'mine' | 'newest'; showPrivate?: boolean; eager?: boolean }

/** One picture of a grid. It opens above the list that it came from. */
export function PictureTile({ picture, list, showPrivate = false, eager = false }: PictureTileProps) {
  const { t, i18n } = useTranslation('gallery')
  const date = formatRelative(picture.createdAt, i18n.language)
  const author = picture.user?.name
  return (
    <Link
      className={styles.tile}
      to={paths.picture(picture._id)}
      state={{ list }}
      preventScrollReset
      aria-label={list === 'mine' || !author ? t('open', { date }) : t('openBy', { name: author })}
    >
      <Picture
        src={picture.kind === 'video' ? picture.rawUrl : picture.optimalUrl}
        fallback={picture.rawUrl}
        alt=""
        video={picture.kind === 'video'}
        eager={eager}
      />
      {showPrivate && picture.isPrivate && (
        <span className={styles.badge} title={t('private')}>
          <Icon name="lock" size={14} />
        </span>
      )}
    </Link>
  )
}
