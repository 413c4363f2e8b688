import { useTranslation } from 'react-i18next'
import type { OutputAsset } from '@/shared/api/types'
import { formatBytes } from '@/shared/lib/format'
import { Button } from '@/shared/ui/button'
import { useConfirm } from '@/shared/ui/dialog'
import { useEscape } from '@/shared/ui/layers'
import { openModal } from '@/shared/ui/modals'
import { toast } from '@/shared/ui/toast'
import { useDeletePictures, useSetPrivate } from '../api'
import { mayBePublished } from '../model'
import { useArchive } from '../use-archive'
import styles from './selection-bar.module.css'

type SelectionBarProps = {
  pictures: OutputAsset[]
  may: { publish: boolean; hide: boolean; remove: boolean }
  onClear: () => void
}

export function SelectionBar({ pictures, may, onClear }: SelectionBarProps) {
  const { t } = useTranslation('gallery')
  const { t: common } = useTranslation()
  useEscape(true, onClear)
  const archive = useArchive(pictures.map((picture) => picture._id))
  const act = useActions(pictures, onClear)
  return (
    <section className={styles.bar} aria-label={t('selection.title')}>
      <p className={styles.count} aria-live="polite">
        {t('selection.count', { count: pictures.length })}
      </p>
      <p className={styles.tip}>{t('selection.tip')}</p>
      <div className={styles.actions}>
        {archive.bytes === null ? (
          <Button size="small" icon="download" onClick={archive.start}>
            {common('download')}
          </Button>
        ) : (
          <Button size="small" icon="close" onClick={archive.cancel}>
            {t('selection.loading', { size: formatBytes(archive.bytes) })}
          </Button>
        )}
        {may.publish && pictures.some(mayBePublished) && (
          <Button size="small" tone="primary" icon="upload" onClick={act.publish}>
            {t('publish')}
          </Button>
        )}
        {may.hide && (
          <Button size="small" icon="lock" busy={act.changing} onClick={() => void act.hide()}>
            {t('unpublish')}
          </Button>
        )}
        {may.remove && (
          <Button size="small" tone="danger" icon="trash" busy={act.removing} onClick={() => void act.remove()}>
            {common('delete')}
          </Button>
        )}
      </div>
      <Button
        size="small"
        tone="ghost"
        icon="close"
        className={styles.clear}
        aria-label={t('selection.clear')}
        onClick={onClear}
      />
    </section>
  )
}

function useActions(pictures: OutputAsset[], onDone: () => void) {
  const { t } = useTranslation('gallery')
  const { t: common } = useTranslation()
  const confirm = useConfirm()
  const setPrivate = useSetPrivate()
  const drop = useDeletePictures()
  const publish = () => {
    openModal('publish', { pictures: pictures.filter(mayBePublished), onDone })
  }
  const hide = async () => {
    const ids = pictures.filter((picture) => !picture.isPrivate).map((picture) => picture._id)
    const count = ids.length
    const title = t('selection.hideTitle', { count })
    if (!(await confirm({ title, text: t('unpublishText'), action: t('unpublish') }))) return
    setPrivate.mutate(
      { ids, isPrivate: true },
      {
        onSuccess: () => {
          toast.success(t('selection.hidden', { count }))
          onDone()
        },
        onError: (error) => toast.error(t('visibilityFailed'), error),
      },
    )
  }
  const remove = async () => {
    const count = pictures.length
    const title = t('selection.deleteTitle', { count })
    if (!(await confirm({ title, text: t('deleteText'), action: common('delete'), danger: true }))) return
    drop.mutate(
      pictures.map((picture) => picture._id),
      {
        onSuccess: ({ deletedCount }) => {
          toast.success(t('selection.deleted', { count: deletedCount }))
          onDone()
        },
        onError: (error) => toast.error(t('deleteFailed'), error),
      },
    )
  }
  return { publish, hide, remove, changing: setPrivate.isPending, removing: drop.isPending }
}
