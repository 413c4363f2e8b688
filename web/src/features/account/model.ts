import type { LedgerEntry } from '@/shared/api/types'

const OUTGOING = new Set<LedgerEntry['kind']>(['Hold', 'Expire'])

/** The amount as it changes the balance. A capture spends what its hold had reserved, so it has no sign. */
export function signedAmount(entry: Pick<LedgerEntry, 'kind' | 'amount'>, language: string): string {
  const amount = new Intl.NumberFormat(language).format(Math.abs(entry.amount))
  if (entry.kind === 'Capture' || entry.amount === 0) return amount
  return `${OUTGOING.has(entry.kind) ? '−' : '+'}${amount}`
}

/** A line of the statement: one entry, or all entries of one job. `reserved` is what a running job may still cost. */
export type StatementLine = { id: string; entry: LedgerEntry; amount: string; reserved: number | null }

/** The statement, with the hold, capture and release of a job as one line. It is placed at the job's last entry. */
export function statementLines(entries: LedgerEntry[], language: string): StatementLine[] {
  const ofJob = new Map<string, LedgerEntry[]>()
  for (const entry of entries) {
    if (entry.job) ofJob.set(entry.job, [...(ofJob.get(entry.job) ?? []), entry])
  }
  return entries.flatMap((entry): StatementLine[] => {
    if (!entry.job) return [{ id: entry._id, entry, amount: signedAmount(entry, language), reserved: null }]
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
    return [{ id: entry._id, entry, amount, reserved: ended ? null : sum('Hold') }]
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
