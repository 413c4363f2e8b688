import { Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MaskEditor } from '@/features/mask-editor'
import type { Asset } from '@/shared/api/types'
import type { FileKind } from '@/shared/api/upload'
import { withTexts } from '@/shared/i18n'
import { chunk } from '@/shared/lib/chunk'
import { classNames } from '@/shared/lib/class-names'
import { formatBytes } from '@/shared/lib/format'
import { useDropZone } from '@/shared/lib/use-drop-zone'
import { usePastedFiles } from '@/shared/lib/use-pasted-files'
import { Button } from '@/shared/ui/button'
import { DialogLoadError } from '@/shared/ui/dialog-load-error'
import { FieldError } from '@/shared/ui/field'
import { Icon } from '@/shared/ui/icon'
import { lazyPart } from '@/shared/ui/lazy-part'
import { Picture } from '@/shared/ui/picture'
import type { WidgetProps } from '@/shared/ui/schema-form/widget'
import { controlProps } from '@/shared/ui/schema-form/widgets'
import { type KnownImage, knownImage } from '../draft'
import { ACCEPT, mayBe, useFileUpload } from '../use-file-upload'
import styles from './image-widget.module.css'
import { TextPreview } from './lazy-text-preview'
import { UploadProgress } from './upload-progress'
import { contextOf } from './widget-context'

const ImagePicker = lazyPart(withTexts(chunk(() => import('./image-picker'))), DialogLoadError)

/** An image input: click, drop, paste, or choose an uploaded file. Its value is the asset's id. */
export const ImageWidget = (props: WidgetProps) => <FileWidget {...props} kind="image" />

/** The same for a video, without paste. */
export const VideoWidget = (props: WidgetProps) => <FileWidget {...props} kind="video" />

/** The same for a sound. */
export const AudioWidget = (props: WidgetProps) => <FileWidget {...props} kind="audio" />

/** The same for a text file. Pasted words become a file. */
export const TextFileWidget = (props: WidgetProps) => <FileWidget {...props} kind="text" />

export const UPLOAD_WIDGETS = {
  image: ImageWidget,
  video: VideoWidget,
  audio: AudioWidget,
  textfile: TextFileWidget,
}

/** Texts for each kind of file. */
type Word = 'drop' | 'limit' | 'mine' | 'remove' | 'chosen'

function FileWidget({ kind, ...props }: WidgetProps & { kind: FileKind }) {
  const { t } = useTranslation('miniApps')
  const { t: common } = useTranslation()
  const { id, field, value, onChange } = props
  const context = contextOf(props)
  const control = controlProps(props)
  const upload = useFileUpload(kind)
  const { problem, setProblem } = upload
  const box = useRef<HTMLDivElement>(null)
  const file = useRef<HTMLInputElement>(null)
  const [picking, setPicking] = useState(false)
  const [masking, setMasking] = useState(false)
  const image = typeof value === 'string' ? context.images[value] : undefined

  const word = (key: Word, values: { name?: string } = {}) => t(`${kind}.${key}`, values)
  const words = {
    drop: word('drop'),
    limit: word('limit'),
    mine: word('mine'),
    remove: word('remove'),
  }

  const put = (asset: Asset) => {
    context.rememberImage(knownImage(asset))
    onChange(asset._id)
  }
  const take = (chosen: File | undefined) => {
    if (!chosen || control.disabled || !context.mayUpload()) return
    setProblem(undefined)
    if (upload.refuses(chosen)) return
    upload.cancel()
    const release = context.trackUpload()
    void upload
      .send(chosen)
      .then((asset) => asset && put(asset))
      .finally(release)
  }

  // An open layer takes what is pasted.
  const takesPasted = (kind === 'image' || kind === 'text') && !picking && !masking
  const hasFocus = () => box.current?.contains(document.activeElement) === true
  usePastedFiles(
    (files) => {
      const pasted = files.find((one) => mayBe(kind, one) && (kind === 'text' || one.type !== ''))
      if (!takesPasted || !pasted || (context.countOf(field.widget) !== 1 && !hasFocus())) return false
      take(pasted)
      return true
    },
    (words) => {
      if (kind !== 'text' || !takesPasted || !hasFocus()) return false
      take(new File([words], t('text.pastedName'), { type: 'text/plain' }))
      return true
    },
  )
  const { over, zone } = useDropZone(([dropped]) => take(dropped))
  const choose = () => context.mayUpload() && file.current?.click()

  const drawMask = () => {
    if (!context.mayUpload()) return
    if (!image) return setProblem(t('image.maskNeedsImage'))
    setProblem(undefined)
    setMasking(true)
  }

  return (
    <div ref={box} className={over ? styles.over : undefined} {...zone}>
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
      {upload.busy ? (
        <UploadProgress share={upload.share} onCancel={upload.cancel} />
      ) : value ? (
        <div className={styles.chosen}>
          <Preview kind={kind} file={image} label={word('chosen', { name: image?.name ?? '' })} />
          <div className={styles.bar}>
            <span className={styles.name}>
              {image?.name}
              {kind === 'text' && image?.sizeBytes !== undefined && ` · ${formatBytes(image.sizeBytes)}`}
            </span>
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
          <Button size="small" tone="ghost" icon="brush" disabled={control.disabled} onClick={drawMask}>
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
  if (kind === 'text') return <TextPreview url={file?.url} label={label} />
  if (kind === 'audio') {
    // biome-ignore lint/a11y/useMediaCaption: users' own files have no captions.
    return <audio className={styles.player} src={file?.url} aria-label={label} controls preload="metadata" />
  }
  return (
    // biome-ignore lint/a11y/useMediaCaption: users' own files have no captions.
    <video className={styles.preview} src={file?.url} aria-label={label} controls playsInline preload="metadata" />
  )
}
