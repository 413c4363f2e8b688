import type { LedgerEntry } from '@/shared/api/types'

const OUTGOING = new Set<LedgerEntry['kind']>(['Hold', 'Expire'])

/**
 * The movement as the balance feels it. A capture spends what its hold had set aside already, so the balance does not
 * move and the amount stands without a sign.
 */
export function signedAmount(entry: Pick<LedgerEntry, 'kind' | 'amount'>, language: string): string {
  const amount = new Intl.NumberFormat(language).format(Math.abs(entry.amount))
  if (entry.kind === 'Capture' || entry.amount === 0) return amount
  return `${OUTGOING.has(entry.kind) ? '−' : '+'}${amount}`
}

/** A line of the statement: one movement, or all movements of one job. `reserved` is what a job may still cost. */
export type StatementLine = { id: string; entry: LedgerEntry; amount: string; reserved: number | null }

/**
 * The statement as people read it: what a job held, spent and gave back is one line with what it cost. It stands where
 * the last movement of the job is.
 */
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
    // Without its hold the job goes on below what was loaded, and so may what it spent.
    const none = held ? '0' : '…'
    const amount = spent === 0 ? none : `−${new Intl.NumberFormat(language).format(spent)}`
    return [{ id: entry._id, entry, amount, reserved: ended ? null : sum('Hold') }]
  })
}

/** The largest file that somebody may choose as their picture, in bytes. */
export const PORTRAIT_BYTES = 10_485_760
/** The longest name of an API key that the server takes. */
export const MAX_KEY_NAME = 50

/** How far the picture may be enlarged while it is cropped. */
export const MAX_ZOOM = 1.2
/** The longer side of the picture that is sent; it is never shown larger. */
export const PORTRAIT_SIDE = 512

/** Keys of `account.portrait`. */
export const portraitProblem = (file: Pick<File, 'type' | 'size'>): 'notAnImage' | 'tooLarge' | undefined => {
  if (!file.type.startsWith('image/') || file.type === 'image/svg+xml') return 'notAnImage'
  return file.size > PORTRAIT_BYTES ? 'tooLarge' : undefined
}

export type Area = { x: number; y: number; width: number; height: number }

/** The part of a picture that is kept, held inside it, and the side of the square that it is drawn into. */
export function cropOf(area: Area, picture: { width: number; height: number }): Area & { side: number } {
  const size = Math.max(1, Math.min(area.width, area.height, picture.width, picture.height))
  const x = Math.min(Math.max(0, area.x), picture.width - size)
  const y = Math.min(Math.max(0, area.y), picture.height - size)
  return { x, y, width: size, height: size, side: Math.max(1, Math.min(PORTRAIT_SIDE, Math.round(size))) }
}
