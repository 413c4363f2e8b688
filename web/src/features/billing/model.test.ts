import { describe, expect, it } from 'vitest'
import type { Plan } from '@/shared/api/types'
import { dayOf } from '@/shared/lib/days'
import { coupon } from '@/shared/testing/factories'
import {
  bodyOf,
  type CouponDraft,
  changesOf,
  commonMachine,
  couponState,
  EMPTY_COUPON,
  machinesOf,
  machineTime,
  patchOf,
  picturesOf,
  randomCode,
  tidyCode,
  wrongChanges,
  wrongFields,
} from './model'

const pool = (name: string, creditsPerSecond: number) => ({
  name,
  title: `The ${name}`,
  gpu: '24 GB',
  creditsPerSecond,
})
const plan = (name: string, monthlyCredits: number, ...pools: Plan['pools']): Plan => ({
  name,
  monthlyCredits,
  pools,
  weight: 1,
  maxRunSeconds: 600,
  maxQueuedJobs: 10,
  storageBytes: 2 ** 30,
  stealthMode: false,
})
const [cpu, gpu] = [pool('cpu', 0), pool('gpu', 10)]

it('the credits of a plan are told as pictures, and as minutes or hours', () => {
  expect(picturesOf(plan('Free', 6000, cpu), 42)).toBe(142)
  expect(machineTime(plan('Free', 6000, gpu), gpu)).toEqual({ unit: 'minutes', count: 10 })
  expect(machineTime(plan('Basic', 36_000, gpu), gpu)).toEqual({ unit: 'hours', count: 1 })
  expect(machineTime(plan('Pro', 57_000, gpu), gpu)).toEqual({ unit: 'hours', count: 1.5 })
})

it('minutes are compared on the dearest machine that all plans have', () => {
  const large = pool('large', 30)
  expect(commonMachine([plan('Free', 1, cpu, gpu), plan('Pro', 2, large, gpu, cpu)])).toEqual(gpu)
  expect(commonMachine([plan('Free', 1, cpu), plan('Pro', 2, gpu, cpu)])).toBeNull()
  expect(commonMachine([plan('Free', 1)])).toBeNull()
  expect(commonMachine([])).toBeNull()
})

it('machines are listed once, with their plans', () => {
  expect(machinesOf([plan('Free', 1, gpu, cpu), plan('Pro', 2, gpu)])).toEqual([
    { pool: cpu, plans: ['Free'] },
    { pool: gpu, plans: ['Free', 'Pro'] },
  ])
})

describe('a code', () => {
  it('loses what chats and e-mails add to it', () => {
    const pasted = [' welcome-2026\n', '“WELCOME–2026”', '\u200bWelcome\u22122026', 'ＷＥＬＣＯＭＥ－２０２６']
    expect(pasted.map(tidyCode)).toEqual(pasted.map(() => 'WELCOME-2026'))
    expect(tidyCode(' – ')).toBe('-')
    expect(tidyCode(' \u200b ')).toBe('')
  })

  it('is made of characters that cannot be confused', () => {
    expect(randomCode()).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/)
    expect(randomCode()).not.toBe(randomCode())
  })
})

describe('a new coupon', () => {
  const now = new Date('2026-11-27T12:00:00').getTime()
  const draft = (change: Partial<CouponDraft>): CouponDraft => ({
    ...EMPTY_COUPON,
    name: 'Welcome',
    amount: '5,000',
    code: 'welcome 2026',
    ...change,
  })
  const wrong = (change: Partial<CouponDraft>) => wrongFields(draft(change), now)

  it('is sent with the fields of its kinds only', () => {
    expect(wrong({})).toEqual([])
    expect(bodyOf(draft({ plan: 'Pro', codeCount: '5' }))).toEqual({
      name: 'Welcome',
      benefit: { kind: 'Credits', amount: 5000, plan: null, days: null },
      code: 'WELCOME-2026',
      codeCount: null,
      usesPerAccount: 1,
      maxUses: null,
      startsAt: null,
      endsAt: null,
    })
    const days = { startsAt: '2026-12-01', endsAt: '2026-12-31' }
    const unique = draft({
      kind: 'Plan',
      plan: 'Pro',
      days: '30',
      codes: 'unique',
      codeCount: '500',
      maxUses: '7',
      ...days,
    })
    expect(bodyOf(unique)).toMatchObject({
      benefit: { kind: 'Plan', amount: null, plan: 'Pro', days: 30 },
      code: null,
      codeCount: 500,
      maxUses: null,
      startsAt: new Date('2026-12-01T00:00:00').toISOString(),
      endsAt: new Date('2026-12-31T23:59:59.999').toISOString(),
    })
  })

  it('of a lower price has a percentage only', () => {
    expect(bodyOf(draft({ kind: 'PercentOff', percent: '20', days: '30' })).benefit).toEqual({
      kind: 'PercentOff',
      percent: 20,
    })
    for (const percent of ['', '0', '91', '1.5']) expect(wrong({ kind: 'PercentOff', percent })).toEqual(['percent'])
  })

  it('names its wrong fields', () => {
    expect(wrongFields(EMPTY_COUPON, now)).toEqual(['name', 'amount', 'code'])
    expect(wrong({ amount: '1.5', usesPerAccount: '101', maxUses: '-1', days: '3651' })).toEqual([
      'amount',
      'days',
      'maxUses',
      'usesPerAccount',
    ])
    expect(wrong({ kind: 'Plan', codes: 'unique', codeCount: '10001' })).toEqual(['plan', 'days', 'codeCount'])
    for (const code of ['ABC', 'A-B-C', '쿠폰쿠폰', 'A'.repeat(41)]) expect(wrong({ code })).toEqual(['code'])
    expect(wrong({ endsAt: '2026-11-26' })).toEqual(['endsAt'])
    expect(wrong({ endsAt: '2026-11-27' })).toEqual([])
    expect(wrong({ startsAt: '2026-12-02', endsAt: '2026-12-01' })).toEqual(['endsAt'])
  })
})

describe('a change of a coupon', () => {
  const kept = coupon({ endsAt: '2026-12-31T10:00:00Z' })

  it('holds only what differs', () => {
    expect(patchOf(changesOf(kept), kept)).toEqual({})
    expect(patchOf({ name: ' Hello ', maxUses: '', endsAt: '' }, kept)).toEqual({
      name: 'Hello',
      maxUses: null,
      endsAt: null,
    })
    expect(patchOf({ ...changesOf(kept), maxUses: '20' }, kept)).toEqual({ maxUses: 20 })
  })

  it('may end a coupon, but not before it starts', () => {
    expect(wrongChanges({ name: 'a', maxUses: '', endsAt: '2020-01-01' }, kept)).toEqual([])
    const starts = coupon({ startsAt: '2026-12-05T12:00:00Z' })
    expect(wrongChanges({ name: ' ', maxUses: '0', endsAt: '2026-12-01' }, starts)).toEqual([
      'name',
      'maxUses',
      'endsAt',
    ])
    expect(dayOf(null)).toBe('')
  })
})

it('an active coupon says why it cannot be redeemed now', () => {
  const now = new Date('2026-11-27T12:00:00Z').getTime()
  const state = (change: Parameters<typeof coupon>[0]) => couponState(coupon(change), now)
  expect(state({})).toBeNull()
  expect(state({ maxUses: null, useCount: 1000 })).toBeNull()
  expect(state({ useCount: 10 })).toBe('usedUp')
  expect(state({ endsAt: '2026-11-27T12:00:00Z' })).toBe('ended')
  expect(state({ startsAt: '2026-11-28T00:00:00Z' })).toBe('planned')
})
