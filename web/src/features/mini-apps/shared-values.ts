import type { FormField, FormValues, ReadForm } from '@/shared/ui/schema-form/read-form'

/** Where the values stand behind the `#` of an address: what stands there is sent to no server and kept in no log. */
const NAME = 'with'
/** Longer addresses do not survive mails and messengers. */
export const LONGEST_SHARED = 8000
/** Fields whose value is an upload of the person's: a link would name what nobody else may see. */
const PRIVATE = ['image', 'video', 'audio'] satisfies FormField['widget'][] as string[]

/** What a link may carry of a form: all but uploads, and what is not filled in. */
const shareable = (form: ReadForm, values: Record<string, unknown>): [string, unknown][] =>
  form.fields
    .filter((field) => !PRIVATE.includes(field.widget) && Object.hasOwn(values, field.name))
    .map((field): [string, unknown] => [field.name, values[field.name]])
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))

/** The end of an address that fills the form with these values; null where they are too long for one. */
export function sharedHash(form: ReadForm, values: FormValues): string | null {
  const hash = `#${new URLSearchParams({ [NAME]: JSON.stringify(Object.fromEntries(shareable(form, values))) })}`
  return hash.length > LONGEST_SHARED ? null : hash
}

/** Whether a link leaves something of these values out. */
export const leavesOut = (form: ReadForm, values: FormValues): boolean =>
  form.fields.some((field) => PRIVATE.includes(field.widget) && Boolean(values[field.name]))

export const hasShared = (hash: string): boolean => new URLSearchParams(hash.slice(1)).has(NAME)

/** The values that an address brings. It was written by a stranger: uploads and fields that the form lacks are dropped. */
export function sharedValues(form: ReadForm, hash: string): FormValues {
  if (hash.length > LONGEST_SHARED) return {}
  try {
    const told: unknown = JSON.parse(new URLSearchParams(hash.slice(1)).get(NAME) ?? '{}')
    if (typeof told !== 'object' || told === null) return {}
    return Object.fromEntries(shareable(form, told as Record<string, unknown>))
  } catch {
    return {}
  }
}
