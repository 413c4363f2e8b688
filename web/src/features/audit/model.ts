import type { AuditAction, AuditEntry } from '@/shared/api/types'
import { type AskedOf, oneOf, question, readBy, words as typed } from '@/shared/lib/question'

/** A name as a key of `audit.actions`: dots there would part the key. */
export type ActionKey = AuditAction extends infer A ? (A extends `${infer N}.${infer V}` ? `${N}_${V}` : never) : never

export const keyOf = (action: AuditAction) => action.replace('.', '_') as ActionKey

/** All that admins do: the record fails to compile where the API knows one more. */
const KNOWN: Record<AuditAction, true> = {
  'user.ban': true,
  'user.unban': true,
  'user.warn': true,
  'user.role': true,
  'user.confirm': true,
  'case.keep': true,
  'case.hide': true,
  'case.delete': true,
  'case.restore': true,
  'comment.delete': true,
  'workflow.update': true,
  'workflow.delete': true,
  'mini-app.save': true,
  'mini-app.delete': true,
  'mini-app.share': true,
  'mini-app.unshare': true,
  'picture.update': true,
  'picture.delete': true,
  'upload.update': true,
  'credit.grant': true,
  'notice.publish': true,
  'notice.delete': true,
  'video.add': true,
  'video.update': true,
  'video.refresh': true,
  'video.remove': true,
  'tag.create': true,
  'tag.update': true,
  'tag.order': true,
  'tag.merge': true,
  'tag.delete': true,
  'basics.order': true,
  'job.cancel': true,
  'batch.cancel': true,
  'worker.add': true,
  'worker.change': true,
  'agent-token.create': true,
  'agent-token.revoke': true,
  'agent-token.allow': true,
  'upkeep.run': true,
}
export const ACTIONS = Object.keys(KNOWN) as AuditAction[]

/** What the log shows; empty leaves a thing open. Days are those of the reader's calendar. */
export const AUDIT = question({
  admin: typed(),
  action: oneOf<AuditAction | ''>(ACTIONS, ''),
  target: typed(),
  from: readBy((text) => (startOf(text) ? text : undefined)),
  to: readBy((text) => (startOf(text) ? text : undefined)),
})
export type AuditQuestion = AskedOf<typeof AUDIT>

/** When a day begins here, some days later; `undefined` for what is no day. */
export function startOf(day: string, later = 0): string | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)
  if (!parts) return undefined
  const [year, month, date] = parts.slice(1).map(Number) as [number, number, number]
  const start = new Date(year, month - 1, date)
  if (start.getMonth() !== month - 1 || start.getDate() !== date) return undefined
  start.setDate(date + later)
  return start.toISOString()
}

/** The question as the API takes it. The last day is in it as a whole. */
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

/** Fields that name a thing, the best first. */
const NAMES = ['name', 'title', 'title_en', 'titleEn', 'label', 'address', 'text', 'reason']
const SHOWN_NAME = 60

/** What an entry was done to, as its row says it: the name that the entry tells, else the beginning of its id. */
export function thingOf({
  before,
  after,
  target,
  person,
}: Pick<AuditEntry, 'before' | 'after' | 'target' | 'person'>): string {
  const told = [after, before].filter(isFields)
  const named = NAMES.flatMap((field) => told.map((fields) => fields[field])).find(
    (value): value is string => typeof value === 'string' && value !== '',
  )
  if (named) return named.length > SHOWN_NAME ? `${named.slice(0, SHOWN_NAME)}…` : named
  return target === person?._id ? '' : target.slice(0, 8)
}

/** One thing that was otherwise before. */
export type Change = { field: string; before: string; after: string }

/** The fields that differ, as texts, those within others too; a value that is no object stands alone, without a name. */
export function changes(before: unknown, after: unknown): Change[] {
  const [was, is] = [flat(before), flat(after)]
  const fields = [...new Set([...was.keys(), ...is.keys()])]
  return fields
    .map((field) => ({ field, before: was.get(field) ?? '', after: is.get(field) ?? '' }))
    .filter((change) => change.before !== change.after)
}

function flat(value: unknown, name = ''): Map<string, string> {
  if (!isFields(value)) return new Map([[name, words(value)]])
  const inner = Object.entries(value).flatMap(([key, field]) => [...flat(field, name ? `${name}.${key}` : key)])
  return new Map(inner)
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function words(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
