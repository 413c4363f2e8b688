import { isUpload } from '@/shared/ui/schema-form/is-upload'
import type { FormValues, ReadForm } from '@/shared/ui/schema-form/read-form'

/** The key of the values in the hash, which is sent to no server and logged nowhere. */
const HASH_KEY = 'with'
/** Longer addresses break in mails and messengers. */
export const MAX_SHARED_LENGTH = 8000

/** The values that a link may contain: all but empty ones and uploads, which other users may not see. */
const shareable = (form: ReadForm, values: Record<string, unknown>): [string, unknown][] =>
  form.fields
    .filter((field) => !isUpload(field.widget) && Object.hasOwn(values, field.name))
    .map((field): [string, unknown] => [field.name, values[field.name]])
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))

/** The hash for these values; null if it would be too long. */
export function sharedHash(form: ReadForm, values: FormValues): string | null {
  const hash = `#${new URLSearchParams({ [HASH_KEY]: JSON.stringify(Object.fromEntries(shareable(form, values))) })}`
  return hash.length > MAX_SHARED_LENGTH ? null : hash
}

/** Whether a link leaves some of these values out. */
export const omitsValues = (form: ReadForm, values: FormValues): boolean =>
  form.fields.some((field) => isUpload(field.widget) && Boolean(values[field.name]))

export const hasShared = (hash: string): boolean => new URLSearchParams(hash.slice(1)).has(HASH_KEY)

/** The values of a link. It is untrusted: uploads and unknown fields are dropped. */
export function sharedValues(form: ReadForm, hash: string): FormValues {
  if (hash.length > MAX_SHARED_LENGTH) return {}
  try {
    const parsed: unknown = JSON.parse(new URLSearchParams(hash.slice(1)).get(HASH_KEY) ?? '{}')
    if (typeof parsed !== 'object' || parsed === null) return {}
    return Object.fromEntries(shareable(form, parsed as Record<string, unknown>))
  } catch {
    return {}
  }
}
