import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Asset, InputAsset } from '@/shared/api/types'
import type { FileKind } from '@/shared/api/upload'
import { Button } from '@/shared/ui/button'
import { Dialog, useConfirm } from '@/shared/ui/dialog'
import { Picture } from '@/shared/ui/picture'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { toast } from '@/shared/ui/toast'
import { inputAssetsQuery, useDeleteInput } from '../api'
import styles from './image-picker.module.css'

type ImagePickerProps = { kind: FileKind; title: string; onClose: () => void; onPick: (asset: Asset) => void }

export default function ImagePicker({ kind, title, onClose, onPick }: ImagePickerProps) {
  const { t } = useTranslation('miniApps')
  const [page, setPage] = useState(1)
  const remove = useRemove()
  const assets = useQuery(inputAssetsQuery(kind, page))
  const items = assets.data?.items
  const pages = assets.data?.pagination.totalPages ?? 1
  return (
    <Dialog open onClose={onClose} title={title} width={720}>
      {assets.isError ? (
        <div className={styles.state}>
          <ErrorState error={assets.error} onRetry={() => void assets.refetch()} />
        </div>
      ) : items?.length === 0 ? (
        <div className={styles.state}>
          <EmptyState
            icon={kind === 'image' ? 'picture' : kind === 'video' ? 'video' : 'play'}
            title={t(`image.pickerEmpty.${kind}`)}
          />
        </div>
      ) : (
        <div className={styles.grid} aria-busy={assets.isPending}>
          {assets.isPending
            ? ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => <Skeleton key={key} style={{ aspectRatio: 1 }} />)
            : items?.map(({ _id, asset }) => (
                <div key={_id} className={styles.file}>
                  <button
                    type="button"
                    aria-label={t('image.pick', { name: asset.name })}
                    onClick={() => onPick(asset)}
                  >
                    {kind === 'image' ? (
                      <Picture src={asset.thumbnailUrl} fallback={asset.url} alt="" ratio={1} />
                    ) : (
                      <>
                        {asset.metadata.videoPreviewImageUrl && (
                          <Picture src={asset.metadata.videoPreviewImageUrl} fallback={null} alt="" ratio={1} />
                        )}
                        <span>{asset.name}</span>
                      </>
                    )}
                  </button>
                  <Button
                    className={styles.remove as string}
                    size="small"
                    icon="trash"
                    aria-label={t('image.delete', { name: asset.name })}
                    onClick={() => {
                      // Deleting the last file of a page goes to the page before.
                      const before = items.length === 1 && page > 1 ? page - 1 : page
                      void remove({ _id, asset }).then(() => setPage(before))
                    }}
                  />
                </div>
              ))}
        </div>
      )}
      {pages > 1 && (
        <div className={styles.pages}>
          <Button
            icon="left"
            tone="outline"
            size="small"
            aria-label={t('image.previous')}
            disabled={page <= 1}
            onClick={() => setPage(page - 1)}
          />
          {t('image.page', { current: page, total: pages })}
          <Button
            icon="right"
            tone="outline"
            size="small"
            aria-label={t('image.next')}
            disabled={page >= pages}
            onClick={() => setPage(page + 1)}
          />
        </div>
      )}
    </Dialog>
  )
}

function useRemove() {
  const { t } = useTranslation('miniApps')
  const { t: common } = useTranslation()
  const ask = useConfirm()
  const { mutateAsync } = useDeleteInput()
  return async ({ _id, asset: { name } }: Pick<InputAsset, '_id' | 'asset'>) => {
    const yes = await ask({
      title: t('image.deleteTitle', { name }),
      text: t('image.deleteText'),
      action: common('delete'),
      danger: true,
    })
    if (!yes) return
    await mutateAsync(_id).then(
      () => toast.success(t('image.deleted', { name })),
      (error: unknown) => toast.error(t('image.deleteFailed', { name }), error),
    )
  }
}
