import type { LedgerEntry } from '@/shared/api/types'
import { calendarDay } from '@/shared/lib/calendar-day'
import { oneOf, type ParamsOf, parsedBy, urlParams } from '@/shared/lib/url-params'
import { readNumber } from '@/shared/ui/schema-form/read-number'

export const ENTRY_KINDS = [
  'Grant',
  'Hold',
  'Capture',
  'Release',
  'Expire',
  'Debit',
] as const satisfies LedgerEntry['kind'][]

/** Filters of the statement; empty values filter nothing. Days are in UTC and inclusive. */
export const STATEMENT = urlParams({
  kind: oneOf<LedgerEntry['kind'] | ''>(ENTRY_KINDS, ''),
  from: parsedBy(calendarDay),
  until: parsedBy(calendarDay),
})
export type StatementFilters = ParamsOf<typeof STATEMENT>

export const isFiltered = ({ kind, from, until }: StatementFilters): boolean => Boolean(kind || from || until)

export const isReversed = ({ from, until }: StatementFilters): boolean => from !== '' && until !== '' && until < from

/** The filters as the API takes them. */
export const toStatementQuery = ({ kind, from, until }: StatementFilters) => ({
  ...(kind && { kind }),
  ...(from && { from }),
  ...(until && { until }),
})

const OUTGOING = new Set<LedgerEntry['kind']>(['Hold', 'Capture', 'Expire', 'Debit'])

/** What is taken is negative: a capture too, although its hold had already left the balance. */
export function signedAmount(entry: Pick<LedgerEntry, 'kind' | 'amount'>, language: string): string {
  const amount = new Intl.NumberFormat(language).format(Math.abs(entry.amount))
  if (entry.amount === 0) return amount
  return `${OUTGOING.has(entry.kind) ? '−' : '+'}${amount}`
}

/** A line of the statement: one entry, or all entries of one job. `reserved` is what a running job may still cost. */
export type StatementLine = {
  id: string
  what: LedgerEntry['kind'] | 'job'
  entry: LedgerEntry
  amount: string
  reserved: number | null
}

const entryLine = (entry: LedgerEntry, language: string): StatementLine => ({
  id: entry._id,
  what: entry.kind,
  entry,
  amount: signedAmount(entry, language),
  reserved: null,
})

/** The statement with a line per entry. */
export const entryLines = (entries: LedgerEntry[], language: string): StatementLine[] =>
  entries.map((entry) => entryLine(entry, language))

/** The statement, with the hold, capture and release of a job as one line. It is placed at the job's last entry. */
export function statementLines(entries: LedgerEntry[], language: string): StatementLine[] {
  const ofJob = new Map<string, LedgerEntry[]>()
  for (const entry of entries) {
    if (entry.job) ofJob.set(entry.job, [...(ofJob.get(entry.job) ?? []), entry])
  }
  return entries.flatMap((entry): StatementLine[] => {
    if (!entry.job) return [entryLine(entry, language)]
    const all = ofJob.get(entry.job) ?? []
    if (all[0] !== entry) return []
    const sum = (kind: LedgerEntry['kind']) =>
      all.filter((one) => one.kind === kind).reduce((total, one) => total + one.amount, 0)
    const spent = sum('Capture')
    const ended = spent > 0 || sum('Release') > 0
    const held = all.some(({ kind }) => kind === 'Hold')
    // The hold, and possibly captures, are on a later page.
    const none = held ? '0' : '…'
    const amount = spent === 0 ? none : `−${new Intl.NumberFormat(language).format(spent)}`
    return [{ id: entry._id, what: 'job', entry, amount, reserved: ended ? null : sum('Hold') }]
  })
}

/** Maximum size of a profile picture in bytes. */
export const PORTRAIT_BYTES = 10_485_760
export const MAX_KEY_NAME = 50

export const MAX_ZOOM = 1.2
/** Side of the uploaded profile picture in pixels; it is never shown larger. */
const PORTRAIT_SIDE = 512

/** Keys of `account.portrait`. */
export const portraitProblem = (file: Pick<File, 'type' | 'size'>): 'notAnImage' | 'tooLarge' | undefined => {
  if (!file.type.startsWith('image/') || file.type === 'image/svg+xml') return 'notAnImage'
  return file.size > PORTRAIT_BYTES ? 'tooLarge' : undefined
}

export type Area = { x: number; y: number; width: number; height: number }

/** The part of a picture to keep, clamped to it, and the side of the target square. */
export function cropOf(area: Area, picture: { width: number; height: number }): Area & { side: number } {
  const size = Math.max(1, Math.min(area.width, area.height, picture.width, picture.height))
  const x = Math.min(Math.max(0, area.x), picture.width - size)
  const y = Math.min(Math.max(0, area.y), picture.height - size)
  return { x, y, width: size, height: size, side: Math.max(1, Math.min(PORTRAIT_SIDE, Math.round(size))) }
}

/** The highest ceiling that the server takes. */
export const MAX_CEILING = 1_000_000_000_000

/** A typed ceiling: null for none, undefined if it is no whole number of credits. */
export function ceilingOf(text: string): number | null | undefined {
  if (text.trim() === '') return null
  const typed = text.replace(/(?<=^\s*[1-9]\d{0,2}),(?=\d{3}\s*$)/, '')
  const read = readNumber(typed, true)
  const ceiling = 'value' in read ? Number(read.value) : 0
  return ceiling >= 1 && ceiling <= MAX_CEILING ? ceiling : undefined
}
