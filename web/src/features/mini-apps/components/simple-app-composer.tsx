import { Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLoginDialog } from '@/features/auth'
import type { Asset, User } from '@/shared/api/types'
import { withTexts } from '@/shared/i18n'
import { chunk } from '@/shared/lib/chunk'
import { classNames } from '@/shared/lib/class-names'
import { useDropZone } from '@/shared/lib/use-drop-zone'
import { useFileDrop } from '@/shared/lib/use-file-drop'
import { usePastedFiles } from '@/shared/lib/use-pasted-files'
import { Button } from '@/shared/ui/button'
import { DialogLoadError } from '@/shared/ui/dialog-load-error'
import { FieldError } from '@/shared/ui/field'
import { Icon } from '@/shared/ui/icon'
import { lazyPart } from '@/shared/ui/lazy-part'
import { ProgressBar } from '@/shared/ui/progress-bar'
import { type AddedPicture, MAX_PICTURES } from '../simple-app-runs'
import { ACCEPT, useUploadWords } from '../use-file-upload'
import { AddedPreview } from './added-preview'
import styles from './simple-app-composer.module.css'

const ImagePicker = lazyPart(withTexts(chunk(() => import('./image-picker'))), DialogLoadError)

/** Refused files that are named; the others are counted. */
const SHOWN_REFUSALS = 5

/** Whether a layer above the page takes what is pasted. */
const hasLayer = () => document.querySelector('[aria-modal=true]') !== null

type PicturesDropProps = {
  user: User | null
  /** Whether pictures were added before, so that the area is smaller. */
  small: boolean
  /** Why the app cannot run. */
  problem: string | undefined
  /** Adds the files and returns how many were beyond the limit. */
  onAdd: (files: File[]) => number
  /** Adds an uploaded picture; false beyond the limit. */
  onAddUploaded: (asset: Asset) => boolean
}

/** Takes many pictures by button, drop and paste, or from the user's uploads. */
export function PicturesDrop({ user, small, problem, onAdd, onAddUploaded }: PicturesDropProps) {
  const { t } = useTranslation('simpleApps')
  const [refusals, setRefusals] = useState<string[]>([])
  const words = useUploadWords('image')
  const take = (files: File[]) => {
    const refused = files.flatMap((file) => {
      const refusal = words.refusalOf(file)
      return refusal ? [t('refusedFile', { name: file.name, reason: refusal })] : []
    })
    const left = onAdd(files.filter((file) => !words.refusalOf(file)))
    const shown = [...new Set(refused)].slice(0, SHOWN_REFUSALS)
    if (files.length === 0) shown.push(t('noFiles'))
    if (refused.length > shown.length) shown.push(t('refusedMore', { count: refused.length - shown.length }))
    if (left > 0) shown.push(t('tooMany', { limit: MAX_PICTURES, count: left }))
    setRefusals(shown)
  }
  return (
    <DropArea
      name="pictures"
      user={user}
      small={small}
      multiple
      title={t(small ? 'more' : 'drop')}
      hint={t('limit', { limit: MAX_PICTURES })}
      pastes
      onFiles={take}
      onUploaded={(asset) => {
        setRefusals(onAddUploaded(asset) ? [] : [t('tooMany', { limit: MAX_PICTURES, count: 1 })])
      }}
      problems={problem ? [problem, ...refusals] : refusals}
    />
  )
}

type PictureSlotProps = {
  user: User | null
  name: 'target' | 'face'
  picture: AddedPicture | null
  preview: string | null
  problem: string | undefined
  /** Whether a pasted picture goes here. */
  pastes: boolean
  onChange: (picture: File | Asset | null) => void
}

/** Takes one picture of an app that takes several. */
export function PictureSlot({ user, name, picture, preview, problem, pastes, onChange }: PictureSlotProps) {
  const { t } = useTranslation('simpleApps')
  const { t: app } = useTranslation('miniApps')
  const words = useUploadWords('image')
  const [refusal, setRefusal] = useState<string>()
  const take = (files: File[]) => {
    // A dropped folder may have other files before its first picture.
    const file = files.find((one) => !words.refusalOf(one))
    setRefusal(file ? undefined : files[0] ? words.refusalOf(files[0]) : t('noFiles'))
    if (file) onChange(file)
  }
  const failed = picture?.problem ? words.problemOf(picture.problem) : undefined
  return (
    <section className={styles.slot} aria-label={t(`slots.${name}`)}>
      <div>
        <h2>{t(`slots.${name}`)}</h2>
        <p className={styles.hint}>{t(`slotHelp.${name}`)}</p>
      </div>
      {picture ? (
        <div className={styles.chosen}>
          {preview && <AddedPreview src={preview} alt={app('image.chosen', { name: picture.name })} />}
          {user && !picture.image && !picture.problem && (
            <ProgressBar
              share={picture.share}
              label={app('image.uploading', { percent: Math.round((picture.share ?? 0) * 100) })}
            />
          )}
          <div className={styles.chosenBar}>
            <span className={styles.fileName}>{picture.name}</span>
            <Button
              size="small"
              tone="ghost"
              icon="trash"
              aria-label={t('remove', { name: picture.name })}
              onClick={() => onChange(null)}
            />
          </div>
          {failed && <FieldError>{failed}</FieldError>}
        </div>
      ) : (
        <DropArea
          name={name}
          user={user}
          small={false}
          multiple={false}
          title={app('image.drop')}
          hint={app('image.limit')}
          pastes={pastes}
          onFiles={take}
          onUploaded={(asset) => {
            setRefusal(undefined)
            onChange(asset)
          }}
          problems={[problem, refusal].filter((text): text is string => Boolean(text))}
        />
      )}
    </section>
  )
}

type DropAreaProps = {
  name: string
  user: User | null
  small: boolean
  multiple: boolean
  title: string
  hint: string
  pastes: boolean
  problems: string[]
  onFiles: (files: File[]) => void
  onUploaded: (asset: Asset) => void
}

function DropArea({ name, user, small, multiple, title, hint, pastes, problems, onFiles, onUploaded }: DropAreaProps) {
  const { t } = useTranslation('miniApps')
  const { t: common } = useTranslation()
  const openLogin = useLoginDialog()
  const file = useRef<HTMLInputElement>(null)
  const [picking, setPicking] = useState(false)
  const { over, zone } = useDropZone(onFiles)
  // A file that is dropped beside the area would open in the browser, and the page would be gone.
  const isAbove = useFileDrop(onFiles, pastes)
  usePastedFiles((files) => {
    if (!pastes || hasLayer()) return false
    onFiles(files)
    return true
  })
  return (
    <div className={classNames(styles.area, small && styles.small, (over || isAbove) && styles.over)} {...zone}>
      <input
        ref={file}
        type="file"
        accept={ACCEPT.image}
        multiple={multiple}
        hidden
        data-testid={`${name}-file`}
        onChange={(event) => {
          if (event.target.files?.length) onFiles([...event.target.files])
          event.target.value = ''
        }}
      />
      <button
        type="button"
        className={styles.drop}
        aria-invalid={problems.length > 0 || undefined}
        onClick={() => file.current?.click()}
      >
        <span className={styles.glyph}>
          <Icon name={small ? 'plus' : 'upload'} size={small ? 20 : 26} />
        </span>
        <span className={styles.dropTitle}>{title}</span>
        <span className={styles.hint}>{hint}</span>
      </button>
      <div className={styles.foot}>
        <div>
          {problems.map((text) => (
            <FieldError key={text}>{text}</FieldError>
          ))}
        </div>
        <Button size="small" tone="ghost" icon="picture" onClick={() => (user ? setPicking(true) : openLogin())}>
          {t('image.mine')}
        </Button>
      </div>
      {picking && (
        <Suspense fallback={<span className="visually-hidden">{common('loading')}</span>}>
          <ImagePicker
            kind="image"
            title={t('image.mine')}
            onClose={() => setPicking(false)}
            onPick={(asset) => {
              onUploaded(asset)
              setPicking(false)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}
