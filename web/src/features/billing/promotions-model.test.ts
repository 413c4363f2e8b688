import { describe, expect, it } from 'vitest'
import { bannerPromotion, promotion } from '@/shared/testing/factories'
import {
  bonusOf,
  EMPTY_PROMOTION,
  promotionBody,
  promotionDraft,
  promotionPatch,
  promotionState,
  wrongPromotion,
} from './promotions-model'

const banner = promotionDraft(bannerPromotion())
const bonus = promotionDraft(promotion())

describe('a draft of a promotion', () => {
  it('needs the fields of its kind', () => {
    expect(wrongPromotion({ ...EMPTY_PROMOTION, link: '' }, true)).toEqual([
      'name',
      'textEn',
      'textKo',
      'labelEn',
      'labelKo',
      'link',
    ])
    expect(wrongPromotion({ ...EMPTY_PROMOTION, kind: 'FirstPurchase' }, true)).toEqual(['name', 'percent'])
    expect(wrongPromotion(banner, true)).toEqual([])
    expect(wrongPromotion(bonus, true)).toEqual([])
  })

  it.each(['https://example.com', '//example.com', '/\\example.com', 'pricing', '/a b', ''])(
    'cannot link to %s',
    (link) => expect(wrongPromotion({ ...banner, link }, true)).toEqual(['link']),
  )

  it.each(['0', '101', '1.5', ''])('cannot give %s percent', (percent) =>
    expect(wrongPromotion({ ...bonus, percent }, true)).toEqual(['percent']),
  )

  it('ends in the future if it is new, and not before its first day', () => {
    const now = new Date('2026-11-27T12:00:00Z').getTime()
    expect(wrongPromotion({ ...bonus, endsAt: '2026-11-01' }, true, now)).toEqual(['endsAt'])
    expect(wrongPromotion({ ...bonus, endsAt: '2026-11-01' }, false, now)).toEqual([])
    expect(wrongPromotion({ ...bonus, startsAt: '2026-12-02', endsAt: '2026-12-01' }, false, now)).toEqual(['endsAt'])
  })

  it('is sent with the fields of its kind only', () => {
    expect(promotionBody(bonus)).toEqual({
      name: 'First pack',
      kind: 'FirstPurchase',
      startsAt: null,
      endsAt: null,
      percent: 20,
    })
    expect(promotionBody(banner)).toMatchObject({ kind: 'Banner', audience: 'Everyone', link: '/pricing' })
    expect(promotionBody(banner)).not.toHaveProperty('percent')
  })
})

describe('a change', () => {
  it('has only what differs', () => {
    expect(promotionPatch(bonus, promotion())).toEqual({})
    expect(promotionPatch({ ...bonus, percent: '30' }, promotion())).toEqual({ percent: 30 })
    expect(promotionPatch({ ...banner, name: 'Other' }, bannerPromotion())).toEqual({ name: 'Other' })
  })

  it('has all fields of a banner if one differs', () => {
    expect(promotionPatch({ ...banner, textEn: 'Summer is here' }, bannerPromotion())).toEqual({
      audience: 'Everyone',
      textEn: 'Summer is here',
      textKo: '봄맞이 행사 중입니다',
      labelEn: 'See the packs',
      labelKo: '크레딧 보기',
      link: '/pricing',
    })
  })

  it('removes a date', () => {
    const ending = promotion({ endsAt: '2026-12-24T14:59:59Z' })
    expect(promotionPatch({ ...promotionDraft(ending), endsAt: '' }, ending)).toEqual({ endsAt: null })
  })
})

it('the state says why a promotion is not offered', () => {
  const now = new Date('2026-11-27T12:00:00Z').getTime()
  expect(promotionState(promotion(), now)).toBeNull()
  expect(promotionState(promotion({ startsAt: '2026-11-28T00:00:00Z' }), now)).toBe('planned')
  expect(promotionState(promotion({ endsAt: '2026-11-27T12:00:00Z' }), now)).toBe('ended')
})

it('a bonus is rounded down', () => {
  expect(bonusOf(10_000, 20)).toBe(2000)
  expect(bonusOf(3, 33)).toBe(0)
  expect(bonusOf(10, 33)).toBe(3)
  expect(bonusOf(10, null)).toBe(0)
})
