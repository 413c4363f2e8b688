import { type DragEvent, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MaskEditor } from '@/features/mask-editor'
import { isApiError } from '@/shared/api/errors'
import type { Asset } from '@/shared/api/types'
import { type FileKind, MAX_IMAGE_BYTES, MAX_PLAYED_BYTES } from '@/shared/api/upload'
import { chunk } from '@/shared/lib/chunk'
import { classNames } from '@/shared/lib/class-names'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button } from '@/shared/ui/button'
import { DialogLoadError } from '@/shared/ui/dialog-load-error'
import { FieldError } from '@/shared/ui/field'
import { Icon } from '@/shared/ui/icon'
import { lazyPart } from '@/shared/ui/lazy-part'
import { Picture } from '@/shared/ui/picture'
import { ProgressBar } from '@/shared/ui/progress-bar'
import type { WidgetProps } from '@/shared/ui/schema-form/widget'
import { controlProps } from '@/shared/ui/schema-form/widgets'
import { useUpload } from '../api'
import type { KnownImage } from '../draft'
import styles from './image-widget.module.css'
import { contextOf } from './widget-context'

const ImagePicker = lazyPart(
  chunk(() => import('./image-picker')),
  DialogLoadError,
)

/** An image input: click, drop, paste, or choose an uploaded file. Its value is the asset's id. */
export const ImageWidget = (props: WidgetProps) => <FileWidget {...props} kind="image" />

/** The same for a video, without paste. */
export const VideoWidget = (props: WidgetProps) => <FileWidget {...props} kind="video" />

/** The same for a sound. */
export const AudioWidget = (props: WidgetProps) => <FileWidget {...props} kind="audio" />

const MAX_BYTES = { image: MAX_IMAGE_BYTES, video: MAX_PLAYED_BYTES, audio: MAX_PLAYED_BYTES } as const
/** The server decides: browsers do not know the type of every accepted file. */
const ACCEPT = { image: 'image/*', video: 'video/*,.mkv,.mov', audio: 'audio/*,.flac,.m4a' } as const

/** Texts for each kind of file. */
type Word = 'drop' | 'limit' | 'mine' | 'remove' | 'tooLarge' | 'notKind' | 'chosen'

function FileWidget({ kind, ...props }: WidgetProps & { kind: FileKind }) {
  const { t } = useTranslation('miniApps')
  const { t: common } = useTranslation()
  const { id, value, onChange } = props
  const context = contextOf(props)
  const control = controlProps(props)
  const upload = useUpload()
  const text = useProblemText()
  const box = useRef<HTMLDivElement>(null)
  const file = useRef<HTMLInputElement>(null)
  const abort = useRef<AbortController>(null)
  const [share, setShare] = useState(0)
  const [over, setOver] = useState(false)
  const [picking, setPicking] = useState(false)
  const [masking, setMasking] = useState(false)
  const [problem, setProblem] = useState<string>()
  const image = typeof value === 'string' ? context.images[value] : undefined

  const word = (key: Word, values: { name?: string } = {}) => t(`${kind}.${key}`, values)
  const words = {
    drop: word('drop'),
    limit: word('limit'),
    mine: word('mine'),
    remove: word('remove'),
    tooLarge: word('tooLarge'),
    notKind: word('notKind'),
  }

  const put = ({ _id, name, url, thumbnailUrl }: Asset) => {
    context.rememberImage({ id: _id, name, url, thumbnailUrl })
    onChange(_id)
  }
  const take = (chosen: File | undefined) => {
    if (!chosen || control.disabled || !context.mayUpload()) return
    setProblem(undefined)
    if (chosen.type && !chosen.type.startsWith(`${kind}/`)) return setProblem(words.notKind)
    if (chosen.size > MAX_BYTES[kind]) return setProblem(words.tooLarge)
    setShare(0)
    abort.current?.abort()
    abort.current = new AbortController()
    upload.mutate(
      { kind, file: chosen, onProgress: setShare, signal: abort.current.signal },
      {
        onSuccess: put,
        onError: (error) => setProblem(problemOf(error)),
        onSettled: context.trackUpload(),
      },
    )
  }
  const problemOf = (error: unknown): string | undefined => {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined
    if (isApiError(error) && error.code === 'FILE_TOO_LARGE') return words.tooLarge
    if (isApiError(error) && error.code === 'FILE_NOT_AN_IMAGE') return words.notKind
    return t('image.failed', { message: text(error) })
  }

  const takeLatest = useRef(take)
  takeLatest.current = take
  const alone = context.imageFields === 1
  useEffect(() => {
    if (kind !== 'image') return
    const paste = (event: ClipboardEvent) => {
      const pasted = [...(event.clipboardData?.files ?? [])].find((f) => f.type.startsWith('image/'))
      const here = box.current?.contains(document.activeElement)
      if (!pasted || !(here || alone)) return
      event.preventDefault()
      takeLatest.current(pasted)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [alone, kind])
  useEffect(() => () => abort.current?.abort(), [])

  const drag = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      take(event.dataTransfer.files[0])
    },
  }
  const choose = () => context.mayUpload() && file.current?.click()

  const drawMask = () => {
    if (!context.mayUpload()) return
    if (!image) return setProblem(t('image.maskNeedsImage'))
    setProblem(undefined)
    setMasking(true)
  }

  return (
    <div ref={box} className={over ? styles.over : undefined} {...drag}>
      <input
        ref={file}
        type="file"
        accept={ACCEPT[kind]}
        hidden
        data-testid={`${id}-file`}
        onChange={(event) => {
          take(event.target.files?.[0])
          event.target.value = ''
        }}
      />
      {upload.isPending ? (
        <div className={styles.uploading}>
          <p role="status">
            {t('image.uploading', { percent: Math.round(share * 100) })}
            <Button size="small" tone="ghost" onClick={() => abort.current?.abort()}>
              {t('image.cancelUpload')}
            </Button>
          </p>
          <ProgressBar share={share} label={t('image.uploading', { percent: Math.round(share * 100) })} />
        </div>
      ) : value ? (
        <div className={styles.chosen}>
          <Preview kind={kind} file={image} label={word('chosen', { name: image?.name ?? '' })} />
          <div className={styles.bar}>
            <span className={styles.name}>{image?.name}</span>
            <Button size="small" tone="outline" disabled={control.disabled} onClick={choose}>
              {t('image.replace')}
            </Button>
            <Button
              size="small"
              tone="ghost"
              icon="trash"
              disabled={control.disabled}
              aria-label={words.remove}
              onClick={() => onChange(null)}
            />
          </div>
        </div>
      ) : (
        <button
          {...control}
          type="button"
          className={classNames(styles.drop)}
          aria-labelledby={`${id}-label ${id}-words`}
          onClick={choose}
        >
          <Icon name="upload" size={24} />
          <span id={`${id}-words`}>{words.drop}</span>
          <span className={styles.limit}>{words.limit}</span>
        </button>
      )}
      {problem && <FieldError>{problem}</FieldError>}
      <div className={styles.tools}>
        {kind === 'image' && (
          <Button size="small" tone="ghost" icon="pencil" disabled={control.disabled} onClick={drawMask}>
            {t('image.mask')}
          </Button>
        )}
        <Button
          size="small"
          tone="ghost"
          icon="picture"
          disabled={control.disabled}
          onClick={() => context.mayUpload() && setPicking(true)}
        >
          {words.mine}
        </Button>
      </div>
      {masking && image && (
        <Suspense fallback={<span className="visually-hidden">{common('loading')}</span>}>
          <MaskEditor
            picture={{ ref: { filename: image.id }, name: image.name, url: image.url }}
            onClose={() => setMasking(false)}
            onSaved={({ asset }) => {
              put(asset)
              setMasking(false)
            }}
          />
        </Suspense>
      )}
      {picking && (
        <Suspense fallback={<span className="visually-hidden">{common('loading')}</span>}>
          <ImagePicker
            kind={kind}
            title={words.mine}
            onClose={() => setPicking(false)}
            onPick={(asset) => {
              put(asset)
              setProblem(undefined)
              setPicking(false)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

type PreviewProps = { kind: FileKind; file: KnownImage | undefined; label: string }

function Preview({ kind, file, label }: PreviewProps) {
  if (kind === 'image') {
    return <Picture className={styles.preview} src={file?.url} fallback={file?.thumbnailUrl ?? null} alt={label} />
  }
  if (kind === 'audio') {
    // biome-ignore lint/a11y/useMediaCaption: users' own files have no captions.
    return <audio className={styles.player} src={file?.url} aria-label={label} controls preload="metadata" />
  }
  return (
    // biome-ignore lint/a11y/useMediaCaption: users' own files have no captions.
    <video className={styles.preview} src={file?.url} aria-label={label} controls playsInline preload="metadata" />
  )
}
