import { isApiError } from '@/shared/api/errors'
import type { PersonGrant } from '@/shared/api/types'
import { isRecord } from '@/shared/lib/is-record'
import { whole } from './model'

export const MAX_DEBIT_REASON = 200

/** The reason of a grant of an admin; null for other grants. */
export const reasonOf = ({ source }: PersonGrant): string | null =>
  source.startsWith('operator:') ? source.slice('operator:'.length) : null

/** Whether credits of a grant can be taken back here. Those of an order are taken back by its refund. */
export const canTakeBack = ({ order, remaining }: PersonGrant): boolean => !order && remaining > 0

export type DebitDraft = { amount: string; reason: string }
export const DEBIT_FIELDS = ['amount', 'reason'] as const satisfies (keyof DebitDraft)[]

/** A valid draft as the API takes it, or the fields that are wrong. */
export function readDebit({ amount, reason }: DebitDraft, { remaining }: PersonGrant) {
  const credits = whole(amount, remaining)
  const words = reason.trim()
  const isWrong = { amount: credits === null, reason: words === '' }
  return { wrong: DEBIT_FIELDS.filter((field) => isWrong[field]), body: { amount: credits ?? 0, reason: words } }
}

/** The credits that are left, if a refusal says that fewer are left than were asked for. */
export function leftBy(error: unknown): number | null {
  if (!isApiError(error) || error.code !== 'CREDITS_USED' || !isRecord(error.details)) return null
  const { available } = error.details
  return typeof available === 'number' ? available : null
}
