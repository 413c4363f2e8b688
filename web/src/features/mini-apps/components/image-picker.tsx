import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Asset } from '@/shared/api/types'
import { Button } from '@/shared/ui/button'
import { Dialog } from '@/shared/ui/dialog'
import { Picture } from '@/shared/ui/picture'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { inputAssetsQuery } from '../api'
import styles from './image-picker.module.css'

type ImagePickerProps = { onClose: () => void; onPick: (asset: Asset) => void }

/** "My Images": what this person has uploaded before, twenty to a page. */
export default function ImagePicker({ onClose, onPick }: ImagePickerProps) {
  const { t } = useTranslation('miniApps')
  const [page, setPage] = useState(1)
  const assets = useQuery(inputAssetsQuery(page))
  const pages = assets.data?.pagination.totalPages ?? 1
  return (
    <Dialog open onClose={onClose} title={t('image.pickerTitle')} width={720}>
      {assets.isError ? (
        <div className={styles.state}>
          <ErrorState error={assets.error} onRetry={() => void assets.refetch()} />
        </div>
      ) : assets.data?.items.length === 0 ? (
        <div className={styles.state}>
          <EmptyState icon="picture" title={t('image.pickerEmpty')} />
        </div>
      ) : (
        <div className={styles.grid} aria-busy={assets.isPending}>
          {assets.isPending
            ? ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => <Skeleton key={key} style={{ aspectRatio: 1 }} />)
            : assets.data?.items.map(({ _id, asset }) => (
                <button
                  key={_id}
                  type="button"
                  aria-label={t('image.pick', { name: asset.name })}
                  onClick={() => onPick(asset)}
                >
                  <Picture src={asset.thumbnailUrl} fallback={asset.url} alt="" ratio={1} />
                </button>
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
