import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { rectSortingStrategy, SortableContext, sortableKeyboardCoordinates, useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { type ChangeEvent, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import type { Asset } from '@/shared/api/types'
import { MAX_IMAGE_BYTES, uploadImage } from '@/shared/api/upload'
import { withTexts } from '@/shared/i18n'
import { chunk } from '@/shared/lib/chunk'
import { classNames } from '@/shared/lib/class-names'
import { useProblemText } from '@/shared/lib/problem-text'
import { useDropZone } from '@/shared/lib/use-drop-zone'
import type { TrackUpload } from '@/shared/lib/use-pending-uploads'
import { Button } from '@/shared/ui/button'
import { DialogLoadError } from '@/shared/ui/dialog-load-error'
import { FieldError } from '@/shared/ui/field'
import { Icon } from '@/shared/ui/icon'
import { lazyPart } from '@/shared/ui/lazy-part'
import { Picture } from '@/shared/ui/picture'
import { Spinner } from '@/shared/ui/spinner'
import { MAX_PICTURES, moved, RECOMMENDED_PICTURES } from '../model'
import styles from './picture-manager.module.css'

const OutputPicker = lazyPart(withTexts(chunk(() => import('./output-picker'))), DialogLoadError)

type PictureManagerProps = {
  pictures: Asset[]
  cover: string | null
  /** Gets an updater, because several uploads may end at once. */
  onChange: (change: (pictures: Asset[]) => Asset[]) => void
  onCover: (id: string) => void
  trackUpload: TrackUpload
  problem?: string | undefined
}

/** The pictures of a post: upload or pick up to sixteen, reorder them, choose the cover. */
export function PictureManager({ pictures, cover, onChange, onCover, trackUpload, problem }: PictureManagerProps) {
  const { t } = useTranslation('workflows')
  const { t: common } = useTranslation()
  const { t: picker } = useTranslation('files')
  const text = useProblemText()
  const file = useRef<HTMLInputElement>(null)
  const [waiting, setWaiting] = useState(0)
  const [picking, setPicking] = useState(false)
  const [refused, setRefused] = useState<string>()
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 6 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 200, tolerance: 6 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const ids = pictures.map((picture) => picture._id)
  const room = MAX_PICTURES - pictures.length - waiting
  const shownCover = cover && ids.includes(cover) ? cover : ids[0]

  const add = (asset: Asset) =>
    onChange((now) => (now.some((known) => known._id === asset._id) ? now : [...now, asset]))
  const take = async (files: File[]) => {
    setRefused(undefined)
    const good = files.filter((chosen) => chosen.type.startsWith('image/') && chosen.size <= MAX_IMAGE_BYTES)
    if (good.length < files.length) {
      setRefused(files.some((chosen) => chosen.size > MAX_IMAGE_BYTES) ? t('edit.tooLarge') : t('edit.notImage'))
    }
    const fitting = good.slice(0, Math.max(0, room))
    if (fitting.length < good.length) setRefused(t('edit.picturesFull'))
    setWaiting((before) => before + fitting.length)
    const release = trackUpload()
    for (const chosen of fitting) {
      try {
        const asset = await uploadImage(chosen, () => undefined)
        add(asset)
      } catch (error) {
        setRefused(isApiError(error, 413) ? t('edit.tooLarge') : t('edit.uploadFailed', { message: text(error) }))
      } finally {
        setWaiting((before) => before - 1)
      }
    }
    release()
  }
  const { over, zone } = useDropZone((files) => void take(files))
  const end = ({ active, over: target }: DragEndEvent) => {
    if (!target || active.id === target.id) return
    const [from, to] = [ids.indexOf(String(active.id)), ids.indexOf(String(target.id))]
    onChange((now) => moved(now, from, to))
  }
  const place = (id: unknown) => ids.indexOf(String(id)) + 1
  const announcements: Announcements = {
    onDragStart: ({ active }) => t('edit.dragStart', { number: place(active.id) }),
    onDragOver: ({ over: target }) => (target ? t('edit.dragOver', { number: place(target.id) }) : undefined),
    onDragEnd: ({ over: target }) => (target ? t('edit.dragEnd', { number: place(target.id) }) : undefined),
    onDragCancel: () => t('edit.dragCancel'),
  }
  return (
    <div className={styles.manager}>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        onDragEnd={end}
        accessibility={{ announcements, screenReaderInstructions: { draggable: t('edit.dragHelp') } }}
      >
        <SortableContext items={ids} strategy={rectSortingStrategy}>
          <ul className={styles.grid} aria-label={t('edit.pictures')}>
            {pictures.map((picture, index) => (
              <SortablePicture
                key={picture._id}
                picture={picture}
                number={index + 1}
                isCover={picture._id === shownCover}
                onCover={() => onCover(picture._id)}
                onRemove={() => onChange((now) => now.filter((known) => known._id !== picture._id))}
              />
            ))}
            {Array.from({ length: waiting }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: pending uploads have no id yet.
              <li key={`waiting-${index}`} className={classNames(styles.cell, styles.waiting)}>
                <Spinner size={32} />
                <span className="visually-hidden">{t('edit.uploading')}</span>
              </li>
            ))}
            {room > 0 && (
              <li className={styles.cell}>
                <button
                  type="button"
                  className={classNames(styles.add, over && styles.over)}
                  onClick={() => file.current?.click()}
                  {...zone}
                >
                  <Icon name="plus" size={24} />
                  {t('edit.addPicture')}
                </button>
              </li>
            )}
          </ul>
        </SortableContext>
      </DndContext>
      <input
        ref={file}
        type="file"
        accept="image/*"
        multiple
        hidden
        data-testid="pictures"
        onChange={(event: ChangeEvent<HTMLInputElement>) => {
          void take([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      <p className={styles.help}>
        {t('edit.picturesHelp', { count: pictures.length, max: MAX_PICTURES, best: RECOMMENDED_PICTURES })}
      </p>
      {room > 0 && (
        <Button className={styles.own} size="small" tone="outline" icon="picture" onClick={() => setPicking(true)}>
          {picker('outputPicker.open')}
        </Button>
      )}
      {picking && (
        <Suspense fallback={<span className="visually-hidden">{common('loading')}</span>}>
          <OutputPicker room={room} onPick={add} onClose={() => setPicking(false)} />
        </Suspense>
      )}
      {(refused || problem) && <FieldError>{refused ?? problem}</FieldError>}
    </div>
  )
}

type SortablePictureProps = {
  picture: Asset
  number: number
  isCover: boolean
  onCover: () => void
  onRemove: () => void
}

function SortablePicture({ picture, number, isCover, onCover, onRemove }: SortablePictureProps) {
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
