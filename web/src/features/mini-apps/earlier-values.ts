import type { Asset, Job } from '@/shared/api/types'
import { isUpload } from '@/shared/ui/schema-form/is-upload'
import { type FormValues, type Option, type ReadForm, restoreValues } from '@/shared/ui/schema-form/read-form'
import { type KnownImage, knownImage } from './draft'

/** The input of a run, as far as the form still accepts it. */
type EarlierValues = {
  values: FormValues
  files: string[]
  isComplete: boolean
}

/** The form values of a run, with the seeds that were used, so that the result is the same. */
export function earlierValues(form: ReadForm, job: Pick<Job, 'form' | 'seeds'>): EarlierValues {
  const sent: FormValues = { ...(job.form as FormValues | null), ...job.seeds }
  const values = restoreValues(form, sent)
  const files = form.fields.filter(({ widget }) => isUpload(widget)).map(({ name }) => values[name])
  return {
    values,
    files: [...new Set(files.filter((id): id is string => typeof id === 'string' && id !== ''))],
    isComplete: Object.entries(sent).every(([name, value]) => value === null || values[name] === value),
  }
}

/** The values with the files that still exist; `gone` counts the fields that have lost theirs. */
export function withFiles(form: ReadForm, values: FormValues, found: ReadonlyMap<string, Asset | null>) {
  const kept = { ...values }
  const images: Record<string, KnownImage> = {}
  let gone = 0
  for (const { name, widget } of form.fields) {
    const id = values[name]
    if (!isUpload(widget) || typeof id !== 'string' || id === '') continue
    const file = found.get(id)
    if (file) images[id] = knownImage(file)
    else {
      delete kept[name]
      gone += 1
    }
  }
  return { values: kept, images, gone }
}

/** A short text that identifies a run: what was typed, else what was chosen. */
export function summaryOf(form: ReadForm, job: Pick<Job, 'form'>): string {
  const sent = (job.form ?? {}) as FormValues
  const written = form.fields.filter(({ widget }) => widget === 'textarea' || widget === 'text')
  const chosen = form.fields.filter(({ widget }) => widget === 'select' || widget === 'model')
  for (const fields of [written, chosen]) {
    const words = fields.flatMap(({ name, options, labels }) => {
      const value = sent[name]
      if (value === undefined || value === null || value === '') return []
      const at = options?.indexOf(value as Option) ?? -1
      return [(at < 0 ? undefined : labels?.[at]) ?? String(value)]
    })
    if (words.length > 0) return words.join(' · ')
  }
  return ''
}
