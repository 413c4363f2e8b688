import { type KeyboardEvent, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MAX_IMAGE_BYTES, uploadForText } from '@/shared/api/upload'
import { chunk } from '@/shared/lib/chunk'
import { cardUrl } from '@/shared/lib/media'
import { useProblemText } from '@/shared/lib/problem-text'
import { useHolds } from '@/shared/lib/use-holds'
import { Button } from '@/shared/ui/button'
import { lazyPart } from '@/shared/ui/lazy-part'
import { PartBoundary } from '@/shared/ui/part-boundary'
import { Skeleton } from '@/shared/ui/states'
import { useToast } from '@/shared/ui/toast'
import { isCounted, lengthOf, MAX_CHARS, MAX_IMAGES, maySend, whyNot } from '../model'
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

/** The editor of one comment: what it has, how much of it is too much, and the way to send it (Ctrl or Cmd + Enter). */
export function CommentEditor({ html, busy, submit, onChange, onSubmit, onCancel, ...editor }: CommentEditorProps) {
  const { t } = useTranslation('comments')
  const { t: common } = useTranslation()
  const toast = useToast()
  const text = useProblemText()
  const [written, setWritten] = useState(html)
  const { held, hold } = useHolds()
  // A comment that is sent before its picture is there goes without it.
  const ready = maySend(written) && !busy && !held
  const why = whyNot(written)
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && ready) {
      event.preventDefault()
      onSubmit(written)
    }
  }
  const store = async (file: File) => {
    if (!file.type.startsWith('image/')) throw new Refused(t('notImage'))
    if (file.size > MAX_IMAGE_BYTES) throw new Refused(t('tooLarge'))
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
            hold={hold}
            onProblem={(error) => toast.error(error instanceof Refused ? error.message : text(error), error)}
          />
        </Suspense>
      </PartBoundary>
      <div className={styles.actions}>
        <p className={styles.counter} role="status">
          {held
            ? t('uploading')
            : why
              ? t(`unsendable.${why}`, { max: MAX_IMAGES })
              : isCounted(written) && t('counter', { count: lengthOf(written), max: MAX_CHARS })}
        </p>
        <Button tone="ghost" size="small" disabled={busy} onClick={onCancel}>
          {common('cancel')}
        </Button>
        <Button
          tone="primary"
          size="small"
          busy={busy || held}
          disabled={!(ready || held)}
          onClick={() => onSubmit(written)}
        >
          {submit}
        </Button>
      </div>
    </div>
  )
}

/** A picture that is not even sent. */
class Refused extends Error {}
