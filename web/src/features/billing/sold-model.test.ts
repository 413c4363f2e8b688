import { describe, expect, it } from 'vitest'
import type { SoldOrder } from '@/shared/api/types'
import { soldOrder } from '@/shared/testing/factories'
import { firstRefund, readRefund, SOLD, toSoldQuery, withAmount } from './sold-model'

const detail = (change: Partial<SoldOrder> = {}): SoldOrder => ({
  ...soldOrder(),
  creditsLeft: 10_000,
  ...change,
})

describe('a refund', () => {
  it('proposes the rest and its credits, as far as they are left', () => {
    expect(firstRefund(detail())).toMatchObject({ amount: '6.99', credits: '10000' })
    expect(firstRefund(detail({ creditsLeft: 1500 }))).toMatchObject({ amount: '6.99', credits: '1500' })
    const half = detail({ amount: 1000, refundedAmount: 500, refundedCredits: 5000 })
    expect(firstRefund(half)).toMatchObject({ amount: '5.00', credits: '5000' })
  })

  it('proposes credits in proportion until the admin types them', () => {
    const sold = detail({ amount: 1000 })
    const quarter = withAmount(firstRefund(sold), '2.50', sold)
    expect(quarter).toMatchObject({ amount: '2.50', credits: '2500' })
    expect(withAmount({ ...quarter, credits: '7', hasOwnCredits: true }, '5', sold)).toMatchObject({ credits: '7' })
    expect(withAmount(quarter, 'x', sold)).toMatchObject({ amount: 'x', credits: '2500' })
  })

  it('has an amount, credits and a reason within what is left', () => {
    const sold = detail({ creditsLeft: 100 })
    const draft = { amount: '6.99', credits: '0', reason: ' broken ', hasOwnCredits: false }
    expect(readRefund(draft, sold)).toEqual({ wrong: [], body: { amount: 699, credits: 0, reason: 'broken' } })
    expect(readRefund({ ...draft, amount: '7', credits: '101', reason: ' ' }, sold).wrong).toEqual([
      'amount',
      'credits',
      'reason',
    ])
    expect(readRefund({ ...draft, amount: '0' }, sold).wrong).toEqual(['amount'])
  })
})

it('reads the filters of orders from the address', () => {
  const address = new URLSearchParams(
    'search=mira&kind=Credit&status=Paid&provider=Test&from=2026-11-01&until=2026-02-30',
  )
  const filters = SOLD.read(address)
  const read = { search: 'mira', kind: 'Credit', status: 'Paid', provider: 'Test', from: '2026-11-01' }
  expect(toSoldQuery(filters)).toEqual(read)
  expect(toSoldQuery(SOLD.read(new URLSearchParams('kind=Card&status=Lost&provider=Cash')))).toEqual({})
})
