import type { WidgetProps } from '@rjsf/utils'
import { type DragEvent, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import { MAX_IMAGE_BYTES } from '@/shared/api/upload'
import { classNames } from '@/shared/lib/class-names'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button } from '@/shared/ui/button'
import { FieldError } from '@/shared/ui/field'
import { Icon } from '@/shared/ui/icon'
import { Picture } from '@/shared/ui/picture'
import { ProgressBar } from '@/shared/ui/progress-bar'
import { controlProps } from '@/shared/ui/schema-form/widgets'
import { useUpload } from '../api'
import styles from './image-widget.module.css'
import { contextOf } from './widget-context'

const ImagePicker = lazy(() => import('./image-picker'))

/** An image input: click, drop or paste a file, or take one that was uploaded before. Its value is the asset's id. */
export function ImageWidget(props: WidgetProps) {
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
  const [problem, setProblem] = useState<string>()
  const image = typeof value === 'string' ? context.images[value] : undefined

  const take = (chosen: File | undefined) => {
    if (!chosen || control.disabled || !context.mayUpload()) return
    setProblem(undefined)
    if (!chosen.type.startsWith('image/')) return setProblem(t('image.notImage'))
    if (chosen.size > MAX_IMAGE_BYTES) return setProblem(t('image.tooLarge'))
    setShare(0)
    abort.current?.abort()
    abort.current = new AbortController()
    upload.mutate(
      { file: chosen, onProgress: setShare, signal: abort.current.signal },
      {
        onSuccess: (asset) => {
          context.rememberImage({ id: asset._id, name: asset.name, url: asset.url, thumbnailUrl: asset.thumbnailUrl })
          onChange(asset._id)
        },
        onError: (error) => setProblem(problemOf(error)),
        onSettled: context.holdRun(),
      },
    )
  }
  const problemOf = (error: unknown): string | undefined => {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined
    if (isApiError(error, 413)) return t('image.tooLarge')
    if (isApiError(error, 415)) return t('image.notImage')
    return t('image.failed', { message: text(error) })
  }

  const takeLatest = useRef(take)
  takeLatest.current = take
  const alone = context.imageFields === 1
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const pasted = [...(event.clipboardData?.files ?? [])].find((f) => f.type.startsWith('image/'))
      const here = box.current?.contains(document.activeElement)
      if (!pasted || !(here || alone)) return
      event.preventDefault()
      takeLatest.current(pasted)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [alone])
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

  return (
    <div ref={box} className={over ? styles.over : undefined} {...drag}>
      <input
        ref={file}
        type="file"
        accept="image/*"
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
          <Picture
            className={styles.preview}
            src={image?.url}
            fallback={image?.thumbnailUrl ?? null}
            alt={t('image.chosen', { name: image?.name ?? '' })}
          />
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
              aria-label={t('image.remove')}
              onClick={() => onChange(undefined)}
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
          <span id={`${id}-words`}>{t('image.drop')}</span>
          <span className={styles.limit}>{t('image.limit')}</span>
        </button>
      )}
      {problem && <FieldError>{problem}</FieldError>}
      <div className={styles.tools}>
        <Button
          size="small"
          tone="ghost"
          icon="picture"
          disabled={control.disabled}
          onClick={() => context.mayUpload() && setPicking(true)}
        >
          {t('image.mine')}
        </Button>
      </div>
      {picking && (
        <Suspense fallback={<span className="visually-hidden">{common('loading')}</span>}>
          <ImagePicker
            onClose={() => setPicking(false)}
            onPick={(asset) => {
              context.rememberImage({
                id: asset._id,
                name: asset.name,
                url: asset.url,
                thumbnailUrl: asset.thumbnailUrl,
              })
              onChange(asset._id)
              setProblem(undefined)
              setPicking(false)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}
