import { useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { useTranslation } from 'react-i18next'
import type { Asset } from '@/shared/api/types'
import { classNames } from '@/shared/lib/class-names'
import { Icon } from '@/shared/ui/icon'
import { Picture } from '@/shared/ui/picture'
import styles from './picture-manager.module.css'

type SortablePictureProps = {
  picture: Asset
  number: number
  isCover: boolean
  onCover: () => void
  onRemove: () => void
}

/** One picture of the gallery that is being put in order. The picture itself is the handle. */
export function SortablePicture({ picture, number, isCover, onCover, onRemove }: SortablePictureProps) {
  const { t } = useTranslation('workflows')
  const { attributes, listeners, setNodeRef, transform, transition, isDragging } = useSortable({ id: picture._id })
  return (
    <li
      ref={setNodeRef}
      className={classNames(styles.cell, isDragging && styles.dragging)}
      style={{ transform: CSS.Transform.toString(transform), transition }}
    >
      <button
        type="button"
        className={styles.handle}
        {...attributes}
        {...listeners}
        aria-label={t('edit.move', { number })}
      >
        <Picture className={styles.picture} src={picture.thumbnailUrl} fallback={picture.url} alt="" ratio={1} />
      </button>
      <button
        type="button"
        className={classNames(styles.cover, isCover && styles.isCover)}
        aria-pressed={isCover}
        aria-label={t('edit.coverOf', { number })}
        onClick={onCover}
      >
        {isCover ? t('edit.cover') : t('edit.makeCover')}
      </button>
      <button
        type="button"
        className={styles.remove}
        aria-label={t('edit.removePicture', { number })}
        onClick={onRemove}
      >
        <Icon name="close" size={16} />
      </button>
    </li>
  )
}
