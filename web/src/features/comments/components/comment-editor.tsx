import { type KeyboardEvent, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MAX_IMAGE_BYTES, uploadForText } from '@/shared/api/upload'
import { chunk } from '@/shared/lib/chunk'
import { cardUrl } from '@/shared/lib/media'
import { useProblemText } from '@/shared/lib/problem-text'
import { usePendingUploads } from '@/shared/lib/use-pending-uploads'
import { Button } from '@/shared/ui/button'
import { lazyPart } from '@/shared/ui/lazy-part'
import { PartBoundary } from '@/shared/ui/part-boundary'
import { Skeleton } from '@/shared/ui/states'
import { toast } from '@/shared/ui/toast'
import { canSend, characterCount, commentProblem, isCounted, MAX_CHARS, MAX_IMAGES } from '../model'
import styles from './composer.module.css'

const RichTextEditor = lazyPart(chunk(() => import('@/shared/ui/rich-text-editor')))

type CommentEditorProps = {
  html: string
  label: string
  placeholder?: string
  submit: string
  busy: boolean
  autoFocus?: boolean
  onChange?: (html: string) => void
  onSubmit: (html: string) => void
  onCancel: () => void
}

export function CommentEditor({ html, busy, submit, onChange, onSubmit, onCancel, ...editor }: CommentEditorProps) {
  const { t } = useTranslation('comments')
  const { t: common } = useTranslation()
  const text = useProblemText()
  const [written, setWritten] = useState(html)
  const { uploading, trackUpload } = usePendingUploads()
  // Sending waits for picture uploads, or the comment would lack them.
  const ready = canSend(written) && !busy && !uploading
  const why = commentProblem(written)
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && ready) {
      event.preventDefault()
      onSubmit(written)
    }
  }
  const store = async (file: File) => {
    if (!file.type.startsWith('image/')) throw new UploadRejected(t('notImage'))
    if (file.size > MAX_IMAGE_BYTES) throw new UploadRejected(t('tooLarge'))
    const asset = await uploadForText(file)
    return { url: cardUrl(asset) ?? asset.url, name: asset.name }
  }
  return (
    <div className={styles.editor} onKeyDownCapture={keys}>
      <PartBoundary>
        <Suspense fallback={<Skeleton style={{ height: 130 }} />}>
          <RichTextEditor
            {...editor}
            html={html}
            autoFocus={editor.autoFocus ?? true}
            compact
            onChange={(changed) => {
              setWritten(changed)
              onChange?.(changed)
            }}
            onImage={store}
            trackUpload={trackUpload}
            onProblem={(error) => toast.error(error instanceof UploadRejected ? error.message : text(error), error)}
          />
        </Suspense>
      </PartBoundary>
      <div className={styles.actions}>
        <p className={styles.counter} role="status">
          {uploading
            ? t('uploading')
            : why
              ? t(`unsendable.${why}`, { max: MAX_IMAGES })
              : isCounted(written) && t('counter', { count: characterCount(written), max: MAX_CHARS })}
        </p>
        <Button tone="ghost" size="small" disabled={busy} onClick={onCancel}>
          {common('cancel')}
        </Button>
        <Button
          tone="primary"
          size="small"
          busy={busy || uploading}
          disabled={!(ready || uploading)}
          onClick={() => onSubmit(written)}
        >
          {submit}
        </Button>
      </div>
    </div>
  )
}

/** A picture that is rejected before the upload. */
class UploadRejected extends Error {}
