import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { JobOutput, OutputFile } from '@/shared/api/types'
import { withTexts } from '@/shared/i18n'
import { chunk } from '@/shared/lib/chunk'
import { classNames } from '@/shared/lib/class-names'
import { download } from '@/shared/lib/download'
import { timestampName } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { useTranslated } from '@/shared/lib/translated'
import { Button, ButtonLink } from '@/shared/ui/button'
import { CopyButton } from '@/shared/ui/copy-button'
import { DialogLoadError } from '@/shared/ui/dialog-load-error'
import { lazyPart } from '@/shared/ui/lazy-part'
import { Picture } from '@/shared/ui/picture'
import { RetryingImage } from '@/shared/ui/retrying-image'
import { EmptyState } from '@/shared/ui/states'
import { toast } from '@/shared/ui/toast'
import { originQuery } from '../api'
import { extensionOf, isUnsupported } from '../model'
import styles from './job-outputs.module.css'

const Lightbox = lazyPart(withTexts(chunk(() => import('@/shared/ui/lightbox'))), DialogLoadError)

const JobFiles = lazyPart(withTexts(chunk(() => import('./job-files'))))

const NoPreview = lazyPart(
  withTexts(
    chunk(
      () => import('@/shared/ui/no-preview'),
      (module) => ({ default: module.NoPreview }),
    ),
  ),
)

export function JobOutputs({ outputs }: { outputs: JobOutput[] }) {
  const { t } = useTranslation('jobs')
  const translated = useTranslated()
  const [open, setOpen] = useState<number | null>(null)
  const pictures = outputs.flatMap((output) => output.outputs.images ?? []).filter(isShown)
  const inputs = useInputPictures(open === null ? undefined : pictures[open])
  if (outputs.length === 0) return <EmptyState icon="picture" title={t('display.noOutputs')} />
  const save = (file: OutputFile) => {
    download(file.downloadUrl ?? file.url, file.fileName ?? `${timestampName()}.${extensionOf(file.url)}`).catch(
      (error: unknown) => toast.error(t('output.downloadFailed'), error),
    )
  }
  return (
    <div className={styles.list}>
      {outputs.map(translated).map((output) => (
        <section key={output.nodeId} className={styles.output} aria-label={output.name ?? output.nodeId}>
          {outputs.length > 1 && output.name && <h3 className={styles.name}>{output.name}</h3>}
          <Pictures files={output.outputs.images ?? []} all={pictures} onOpen={setOpen} onSave={save} />
          {output.outputs.gifs?.map((file) => (
            <Animation key={file.url} file={file} />
          ))}
          {output.outputs.audio?.map((file) => (
            // biome-ignore lint/a11y/useMediaCaption: a generated sound has no words to caption.
            <audio key={file.url} src={file.url} controls preload="metadata" />
          ))}
          {output.outputs.text?.map((text, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: texts have no identity but their place.
            <div key={index} className={styles.text}>
              <pre>{text}</pre>
              <CopyButton text={text} label={t('output.copyText')} />
            </div>
          ))}
          {output.outputs.files?.length ? (
            <Suspense>
              <JobFiles files={output.outputs.files} onSave={save} />
            </Suspense>
          ) : null}
          {isUnsupported(output) && <p className={styles.unsupported}>{t('display.unsupported')}</p>}
        </section>
      ))}
      {open !== null && (
        <Suspense>
          <Lightbox
            pictures={pictures.map((file, index) => ({ url: file.url, alt: t('output.image', { number: index + 1 }) }))}
            index={open}
            onIndex={setOpen}
            onClose={() => setOpen(null)}
            onDownload={(index) => pictures[index] && save(pictures[index])}
            inputs={inputs}
          />
        </Suspense>
      )}
    </div>
  )
}

/** The uploaded pictures that an output was made from; empty until they are known. */
function useInputPictures(file: OutputFile | undefined) {
  const output = file?.outputAsset
  const origin = useQuery({ ...originQuery(output ?? '', true), enabled: Boolean(output) })
  return origin.data?.uploads.filter(({ kind }) => kind === 'Image') ?? []
}

type PicturesProps = {
  files: OutputFile[]
  all: OutputFile[]
  onOpen: (index: number) => void
  onSave: (file: OutputFile) => void
}

function Pictures({ files, all, onOpen, onSave }: PicturesProps) {
  const { t } = useTranslation('jobs')
  const { t: common } = useTranslation()
  if (files.length === 0) return null
  return (
    <div className={classNames(styles.pictures, files.length === 1 && styles.single)}>
      {files.map((file) => {
        const index = all.indexOf(file)
        const number = index + 1
        return (
          <figure key={`${file.outputAsset}-${file.url}`} className={styles.picture}>
            {isShown(file) ? (
              <button
                type="button"
                className={styles.open}
                aria-label={t('output.openImage', { number })}
                onClick={() => onOpen(index)}
              >
                <Picture
                  src={file.url}
                  alt={t('output.image', { number })}
                  ratio={file.width && file.height ? file.width / file.height : 1}
                  eager
                />
              </button>
            ) : (
              <Suspense>
                <NoPreview kind="image" name={file.fileName} />
              </Suspense>
            )}
            <div className={styles.tools}>
              {file.outputAsset && (
                <ButtonLink
                  size="small"
                  icon="open"
                  aria-label={t('openPicture', { number })}
                  title={t('openPicture', { number })}
                  to={paths.picture(file.outputAsset)}
                />
              )}
              <Button size="small" icon="download" aria-label={common('download')} onClick={() => onSave(file)} />
            </div>
          </figure>
        )
      })}
    </div>
  )
}

/** Files beyond the installation's limits have no preview and can only be downloaded. */
const isShown = (file: OutputFile) => file.hasPreview !== false

/** ComfyUI calls every animation a gif; most are videos. */
function Animation({ file }: { file: OutputFile }) {
  if (extensionOf(file.url) === 'gif') return <RetryingImage className={styles.video} src={file.url} alt="" />
  return <video className={styles.video} src={file.url} autoPlay loop muted playsInline controls />
}
