import { describe, expect, it } from 'vitest'
import { ApiError } from '@/shared/api/errors'
import { personGrant } from '@/shared/testing/factories'
import { canTakeBack, leftBy, readDebit, reasonOf } from './money-model'

describe('a grant of a person', () => {
  it('has a reason if an admin gave it', () => {
    expect(reasonOf(personGrant({ source: 'operator:A lost job: twice' }))).toBe('A lost job: twice')
    expect(reasonOf(personGrant({ source: 'plan:Pro:2026-11' }))).toBeNull()
  })

  it('of an order or without credits cannot be taken back', () => {
    expect(canTakeBack(personGrant())).toBe(true)
    expect(canTakeBack(personGrant({ order: 'order-1' }))).toBe(false)
    expect(canTakeBack(personGrant({ remaining: 0, held: 5 }))).toBe(false)
  })
})

describe('credits to take back', () => {
  it('are at most what is left, with a reason', () => {
    const grant = personGrant({ remaining: 70 })
    expect(readDebit({ amount: '70', reason: ' Twice ' }, grant)).toEqual({
      wrong: [],
      body: { amount: 70, reason: 'Twice' },
    })
    for (const amount of ['', '0', '71', '1.5', 'x']) {
      expect(readDebit({ amount, reason: '' }, grant).wrong).toEqual(['amount', 'reason'])
    }
  })

  it('are named by a refusal because they were used', () => {
    const refusal = (code: 'CREDITS_USED' | 'CREDIT_LIMIT', details: unknown) =>
      leftBy(new ApiError(422, { code, message: 'no', details, requestId: 'r' }))
    expect(refusal('CREDITS_USED', { available: 4 })).toBe(4)
    expect(refusal('CREDITS_USED', undefined)).toBeNull()
    expect(refusal('CREDIT_LIMIT', { available: 4 })).toBeNull()
    expect(leftBy(null)).toBeNull()
  })
})
