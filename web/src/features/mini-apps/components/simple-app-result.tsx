import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { extensionOf } from '@/features/jobs'
import type { OutputFile, SimpleAppAddress } from '@/shared/api/types'
import { withTexts } from '@/shared/i18n'
import { chunk } from '@/shared/lib/chunk'
import { download } from '@/shared/lib/download'
import { paths } from '@/shared/lib/paths'
import { BeforeAfter } from '@/shared/ui/before-after'
import { Button, ButtonLink } from '@/shared/ui/button'
import { CopyButton } from '@/shared/ui/copy-button'
import { DialogLoadError } from '@/shared/ui/dialog-load-error'
import { lazyPart } from '@/shared/ui/lazy-part'
import { RetryingImage } from '@/shared/ui/retrying-image'
import { toast } from '@/shared/ui/toast'
import { type AddedPicture, resultsOf, type SimpleRun } from '../simple-app-runs'
import styles from './simple-app-result.module.css'

const Lightbox = lazyPart(withTexts(chunk(() => import('@/shared/ui/lightbox'))), DialogLoadError)

/** Pictures of one run that are shown. A moving GIF gives one for each of its frames. */
const SHOWN_FILES = 3
/** Longest text that the prompt box takes. */
const MAX_WISH = 500

/** The name of a result: that of the picture it was made from, and what was done. */
export const resultName = (address: SimpleAppAddress, picture: string, { url }: OutputFile): string =>
  `${picture.replace(/\.[^.]{1,5}$/, '')}-${address}.${extensionOf(url)}`

/** The text, shortened at a word to what the prompt box takes. */
export function asWish(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= MAX_WISH) return line
  const cut = line.slice(0, MAX_WISH)
  return cut.slice(0, Math.max(cut.lastIndexOf(' '), 1)).trim()
}

type SimpleAppResultProps = {
  address: SimpleAppAddress
  run: SimpleRun
  pictures: AddedPicture[]
  previewOf: (picture: AddedPicture) => string | null
}

/** What a run has made: pictures beside their input, and texts. */
export function SimpleAppResult({ address, run, pictures, previewOf }: SimpleAppResultProps) {
  const { t } = useTranslation('simpleApps')
  const { t: jobs } = useTranslation('jobs')
  const { files, texts } = resultsOf(run)
  const [picture] = pictures
  const name = picture?.name ?? ''
  const input = (picture && previewOf(picture)) ?? null
  return (
    <>
      {files.slice(0, SHOWN_FILES).map((file) => (
        <PictureResult key={file.url} address={address} file={file} name={name} input={input} />
      ))}
      {files.length > SHOWN_FILES && (
        <p className={styles.more}>
          {t('moreResults', { count: files.length - SHOWN_FILES })}{' '}
          <Link to={paths.job(run.job ?? '')}>{t('openJob')}</Link>
        </p>
      )}
      {texts.length > 0 && files.length === 0 && input && (
        <div className={styles.stage}>
          <RetryingImage className={styles.input} src={input} alt={name} />
        </div>
      )}
      {texts.map((text) => (
        <div key={text} className={styles.text}>
          <p className={styles.words}>{text}</p>
          <div className={styles.actions}>
            <CopyButton text={text} label={jobs('output.copyText')} />
            <ButtonLink size="small" tone="outline" icon="wand" to={paths.wish(asWish(text))}>
              {t('asPrompt')}
            </ButtonLink>
          </div>
        </div>
      ))}
      {files.length === 0 && texts.length === 0 && (
        <div className={styles.none}>
          <p>{jobs('display.noOutputs')}</p>
          <ButtonLink size="small" to={paths.job(run.job ?? '')}>
            {t('openJob')}
          </ButtonLink>
        </div>
      )}
    </>
  )
}

type PictureResultProps = {
  address: SimpleAppAddress
  file: OutputFile
  /** The name and the URL of the picture it was made from. */
  name: string
  input: string | null
}

function PictureResult({ address, file, name, input }: PictureResultProps) {
  const { t } = useTranslation('simpleApps')
  const { t: common } = useTranslation()
  const { t: jobs } = useTranslation('jobs')
  const { t: words } = useTranslation('files')
  const [open, setOpen] = useState(false)
  const alt = t('resultOf', { name })
  const save = () => {
    download(file.downloadUrl ?? file.url, resultName(address, name, file)).catch((error: unknown) =>
      toast.error(jobs('output.downloadFailed'), error),
    )
  }
  return (
    <>
      <div className={styles.stage}>
        {input ? (
          <BeforeAfter
            before={{ url: input, label: t('before') }}
            after={{ url: file.url, label: t('after') }}
            label={words('compare.border')}
            valueText={(percent) => words('compare.borderAt', { percent })}
            checkered
          />
        ) : (
          <RetryingImage className={styles.input} src={file.url} alt={alt} />
        )}
      </div>
      <div className={styles.actions}>
        <Button size="small" tone="outline" icon="download" aria-label={t('downloadOf', { name })} onClick={save}>
          {common('download')}
        </Button>
        <Button size="small" tone="ghost" icon="open" onClick={() => setOpen(true)}>
          {t('openFull')}
        </Button>
        {file.outputAsset && (
          <ButtonLink size="small" tone="ghost" icon="picture" to={paths.picture(file.outputAsset)}>
            {t('inMyPictures')}
          </ButtonLink>
        )}
      </div>
      {open && (
        <Suspense>
          <Lightbox
            pictures={[{ url: file.url, alt }]}
            index={0}
            onIndex={() => undefined}
            onClose={() => setOpen(false)}
            onDownload={save}
            inputs={input ? [{ url: input, name }] : []}
          />
        </Suspense>
      )}
    </>
  )
}
