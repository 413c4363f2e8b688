import type { AuditAction, AuditEntry } from '@/shared/api/types'
import { isRecord } from '@/shared/lib/is-record'
import { freeText, oneOf, type ParamsOf, parsedBy, urlParams } from '@/shared/lib/url-params'

/** A name as a key of `audit.actions`, in which dots would be separators. */
type ActionKey = AuditAction extends infer A ? (A extends `${infer N}.${infer V}` ? `${N}_${V}` : never) : never

export const keyOf = (action: AuditAction) => action.replace('.', '_') as ActionKey

type NounOf<Action> = Action extends `${infer Noun}.${string}` ? Noun : never
type VerbOf<Action, Noun extends string> = Action extends `${Noun}.${infer Verb}` ? Verb : never

/** All actions by noun. The record fails to compile if the API knows one more. */
const KNOWN: { [Noun in NounOf<AuditAction>]: Record<VerbOf<AuditAction, Noun>, true> } = {
  user: { ban: true, unban: true, warn: true, role: true, confirm: true, plan: true },
  case: { keep: true, hide: true, delete: true, restore: true },
  comment: { delete: true },
  workflow: { update: true, delete: true },
  generator: { model: true },
  'simple-app': { bind: true },
  'mini-app': { save: true, delete: true, share: true, unshare: true },
  picture: { update: true, delete: true },
  upload: { update: true },
  credit: { grant: true, debit: true },
  coupon: { create: true, change: true },
  promotion: { create: true, change: true },
  item: { create: true, change: true },
  order: { refund: true },
  subscription: { end: true },
  notice: { publish: true, delete: true },
  video: { add: true, update: true, refresh: true, remove: true },
  tag: { create: true, update: true, order: true, merge: true, delete: true },
  basics: { order: true },
  job: { cancel: true },
  batch: { cancel: true },
  worker: { add: true, change: true },
  'agent-token': { create: true, revoke: true, allow: true },
  'requirement-request': { close: true },
  upkeep: { run: true },
}
export const ACTIONS = Object.entries(KNOWN).flatMap(([noun, verbs]) =>
  Object.keys(verbs).map((verb) => `${noun}.${verb}` as AuditAction),
)

/** Filters of the log; empty values filter nothing. Days are in the reader's time zone. */
export const AUDIT = urlParams({
  admin: freeText(),
  action: oneOf<AuditAction | ''>(ACTIONS, ''),
  target: freeText(),
  from: parsedBy((text) => (startOf(text) ? text : undefined)),
  to: parsedBy((text) => (startOf(text) ? text : undefined)),
})
export type AuditQuestion = ParamsOf<typeof AUDIT>

/** The start of a local day, plus `later` days; `undefined` if it is no day. */
export function startOf(day: string, later = 0): string | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)
  if (!parts) return undefined
  const [year, month, date] = parts.slice(1).map(Number) as [number, number, number]
  const start = new Date(year, month - 1, date)
  if (start.getMonth() !== month - 1 || start.getDate() !== date) return undefined
  start.setDate(date + later)
  return start.toISOString()
}

/** The filters as the API takes them. The last day is included. */
export function toQuery({ admin, action, target, from, to }: AuditQuestion) {
  const [start, end] = [startOf(from), startOf(to, 1)]
  return {
    ...(admin && { admin }),
    ...(action && { action }),
    ...(target && { target }),
    ...(start && { from: start }),
    ...(end && { to: end }),
  }
}

const NAMES = ['name', 'title', 'title_en', 'titleEn', 'file', 'task', 'label', 'address', 'text', 'content', 'reason']
const SHOWN_NAME = 60

/** The words of a comment, which is HTML. */
const plain = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** The target of an entry: its name if the entry has one, else the start of its id. */
export function thingOf({
  before,
  after,
  target,
  person,
}: Pick<AuditEntry, 'before' | 'after' | 'target' | 'person'>): string {
  const versions = [after, before].filter(isRecord)
  const named = NAMES.flatMap((field) => versions.map((fields) => fields[field])).find(
    (value): value is string => typeof value === 'string' && value !== '',
  )
  const label = named && plain(named)
  if (label) return label.length > SHOWN_NAME ? `${label.slice(0, SHOWN_NAME)}…` : label
  return target === person?._id ? '' : target.slice(0, 8)
}

export type Change = { field: string; before: string; after: string }

/**
 * The fields that differ, as texts, including nested ones. A value that is no object has no field name. A name in
 * `before` alone has not changed: it says what was changed.
 */
export function changes(before: unknown, after: unknown): Change[] {
  const [was, is] = [flat(before), flat(after)]
  if (isRecord(before) && isRecord(after) && !is.has('name')) was.delete('name')
  const fields = [...new Set([...was.keys(), ...is.keys()])]
  return fields
    .map((field) => ({ field, before: was.get(field) ?? '', after: is.get(field) ?? '' }))
    .filter((change) => change.before !== change.after)
}

function flat(value: unknown, name = ''): Map<string, string> {
  if (!isRecord(value)) return new Map([[name, words(value)]])
  const inner = Object.entries(value).flatMap(([key, field]) => [...flat(field, name ? `${name}.${key}` : key)])
  return new Map(inner)
}

function words(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
