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
