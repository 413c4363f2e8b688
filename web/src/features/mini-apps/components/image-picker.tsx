import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Asset, InputAsset } from '@/shared/api/types'
import type { FileKind } from '@/shared/api/upload'
import { classNames } from '@/shared/lib/class-names'
import { useDropZone } from '@/shared/lib/use-drop-zone'
import { usePastedFiles } from '@/shared/lib/use-pasted-files'
import { Button } from '@/shared/ui/button'
import { Dialog, useConfirm } from '@/shared/ui/dialog'
import { FieldError } from '@/shared/ui/field'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { toast } from '@/shared/ui/toast'
import { inputAssetsQuery, useDeleteInput } from '../api'
import { ACCEPT, useFileUpload } from '../use-file-upload'
import { FileCard } from './file-card'
import styles from './image-picker.module.css'
import { UploadProgress } from './upload-progress'

const ICONS = { image: 'picture', video: 'video', audio: 'play', text: 'log' } as const

type ImagePickerProps = { kind: FileKind; title: string; onClose: () => void; onPick: (asset: Asset) => void }

/** The user's uploads of one kind: choose, preview, delete, and add by button, drop and paste. */
export default function ImagePicker({ kind, title, onClose, onPick }: ImagePickerProps) {
  const { t } = useTranslation('files')
  const [page, setPage] = useState(1)
  const remove = useRemove()
  const assets = useQuery(inputAssetsQuery(kind, page))
  const items = assets.data?.items
  const pages = assets.data?.pagination.totalPages ?? 1
  return (
    <Dialog open onClose={onClose} title={title} width={720}>
      <UploadArea kind={kind} onUploaded={() => setPage(1)}>
        {assets.isError ? (
          <ErrorState error={assets.error} onRetry={() => void assets.refetch()} />
        ) : items?.length === 0 ? (
          <EmptyState icon={ICONS[kind]} title={t(`picker.empty.${kind}`)} />
        ) : (
          <ul className={styles.grid} aria-busy={assets.isPending} aria-label={title}>
            {assets.isPending
              ? ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
                  <li key={key}>
                    <Skeleton style={{ display: 'block', aspectRatio: 1 }} />
                  </li>
                ))
              : items?.map(({ _id, asset }) => (
                  <FileCard
                    key={_id}
                    kind={kind}
                    asset={asset}
                    onPick={() => onPick(asset)}
                    onDelete={() => {
                      // Deleting the last file of a page goes to the page before.
                      const before = items.length === 1 && page > 1 ? page - 1 : page
                      void remove({ _id, asset }).then(() => setPage(before))
                    }}
                  />
                ))}
          </ul>
        )}
        {pages > 1 && (
          <div className={styles.pages}>
            <Button
              icon="left"
              tone="outline"
              size="small"
              aria-label={t('picker.previous')}
              disabled={page <= 1}
              onClick={() => setPage(page - 1)}
            />
            {t('picker.page', { current: page, total: pages })}
            <Button
              icon="right"
              tone="outline"
              size="small"
              aria-label={t('picker.next')}
              disabled={page >= pages}
              onClick={() => setPage(page + 1)}
            />
          </div>
        )}
      </UploadArea>
    </Dialog>
  )
}

type UploadAreaProps = { kind: FileKind; onUploaded: () => void; children: ReactNode }

/** Uploads the files that are chosen, dropped or pasted here, one after the other. */
function UploadArea({ kind, onUploaded, children }: UploadAreaProps) {
  const { t } = useTranslation('miniApps')
  const { t: words } = useTranslation('files')
  const upload = useFileUpload(kind)
  const file = useRef<HTMLInputElement>(null)
  const queue = useRef(Promise.resolve())
  const [added, setAdded] = useState('')
  const take = (files: File[]) => {
    if (files.length === 0) return
    upload.setProblem(undefined)
    setAdded('')
    for (const chosen of files.filter((one) => !upload.refuses(one))) {
      queue.current = queue.current.then(async () => {
        const asset = await upload.send(chosen)
        if (!asset) return
        setAdded(words('picker.added', { name: asset.name }))
        onUploaded()
      })
    }
  }
  const { over, zone } = useDropZone(take)
  usePastedFiles((files) => {
    take(files)
    return true
  })
  return (
    <div className={classNames(styles.area, over && styles.over)} {...zone}>
      <input
        ref={file}
        type="file"
        accept={ACCEPT[kind]}
        multiple
        hidden
        data-testid="picker-file"
        onChange={(event) => {
          take([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      <div className={styles.head}>
        <Button tone="outline" icon="upload" onClick={() => file.current?.click()}>
          {words('picker.upload')}
        </Button>
        <p className={styles.hint}>
          {words('picker.dropHere')} {t(`${kind}.limit`)}
        </p>
      </div>
      {upload.busy && <UploadProgress share={upload.share} onCancel={upload.cancel} />}
      {upload.problem && <FieldError>{upload.problem}</FieldError>}
      <p className="visually-hidden" role="status">
        {added}
      </p>
      {children}
    </div>
  )
}

function useRemove() {
  const { t } = useTranslation('files')
  const { t: common } = useTranslation()
  const ask = useConfirm()
  const { mutateAsync } = useDeleteInput()
  return async ({ _id, asset: { name } }: Pick<InputAsset, '_id' | 'asset'>) => {
    const yes = await ask({
      title: t('picker.deleteTitle', { name }),
      text: t('picker.deleteText'),
      action: common('delete'),
      danger: true,
    })
    if (!yes) return
    await mutateAsync(_id).then(
      () => toast.success(t('picker.deleted', { name })),
      (error: unknown) => toast.error(t('picker.deleteFailed', { name }), error),
    )
  }
}
