import { describe, expect, it } from 'vitest'
import { picture, user } from '@/shared/testing/factories'
import {
  addRange,
  blockedReason,
  daysLeft,
  EMPTY_SELECTION,
  expiryOf,
  groupByDate,
  isLiked,
  MAX_SELECTED,
  ratioOf,
  toggleOne,
} from './model'

const NOW = Date.parse('2026-11-20T12:00:00Z')

describe('the expiry of a private picture', () => {
  it.each([
    ['2025-04-21T23:00:00Z', '2025-06-21T00:00:00.000Z'],
    ['2025-04-22T00:00:00Z', '2025-05-22T00:00:00.000Z'],
    ['2026-11-01T08:00:00Z', '2026-12-01T08:00:00.000Z'],
  ])('of %s is %s', (createdAt, end) => {
    expect(new Date(expiryOf({ createdAt })).toISOString()).toBe(end)
  })

  it('is the date from the server if there is one', () => {
    const end = '2026-11-25T00:00:00Z'
    expect(expiryOf({ createdAt: '2026-11-01T00:00:00Z', expiresAt: end })).toBe(Date.parse(end))
  })

  it('is in whole days and never negative', () => {
    expect(daysLeft(NOW + 86_400_000 * 2.2, NOW)).toBe(3)
    expect(daysLeft(NOW - 5, NOW)).toBe(0)
  })
})

describe('pictures by date', () => {
  it('are grouped by day with the days left of the first to expire', () => {
    const on = (createdAt: string, expiresAt: string | null, isPrivate = true) =>
      picture({ createdAt, expiresAt, isPrivate })
    const sections = groupByDate(
      [
        on('2026-11-20T10:00:00Z', '2026-12-20T10:00:00Z'),
        on('2026-11-20T09:00:00Z', '2026-11-23T10:00:00Z'),
        on('2026-11-18T09:00:00Z', null, false),
      ],
      NOW,
    )
    expect(sections.map(({ count, daysLeft: left }) => [count, left])).toEqual([
      [2, 3],
      [1, null],
    ])
  })
})

describe('a selection', () => {
  const order = ['a', 'b', 'c', 'd', 'e']

  it('adds and removes one', () => {
    const one = toggleOne(EMPTY_SELECTION, 'b')
    expect([...one.ids]).toEqual(['b'])
    expect([...toggleOne(one, 'b').ids]).toEqual([])
  })

  it('adds a range in either direction and keeps the rest', () => {
    const start = toggleOne(toggleOne(EMPTY_SELECTION, 'a'), 'd')
    expect([...addRange(start, order, 'c').ids].sort()).toEqual(['a', 'c', 'd'])
    const back = addRange(toggleOne(EMPTY_SELECTION, 'b'), order, 'e')
    expect([...back.ids]).toEqual(['b', 'c', 'd', 'e'])
    expect([...addRange(back, order, 'a').ids].sort()).toEqual(order)
  })

  it('starts with one item if there is no anchor', () => {
    expect([...addRange(EMPTY_SELECTION, order, 'c').ids]).toEqual(['c'])
  })

  it('never exceeds the limit of one call', () => {
    const long = Array.from({ length: 900 }, (_, index) => `p${index}`)
    const all = addRange(toggleOne(EMPTY_SELECTION, 'p0'), long, 'p899')
    expect(all.ids.size).toBe(MAX_SELECTED)
  })
})

describe('a picture of a list', () => {
  it('cannot be opened if deleted, hidden, or published since', () => {
    const list = { of: 'public', sort: 'newest', nsfw: 'View' } as const
    expect(blockedReason(picture({ viewCount: -1 }), { of: 'liked', user: 'x' })).toBe('deleted')
    expect(blockedReason(picture({ isPrivate: true }), list)).toBe('hidden')
    expect(blockedReason(picture({ isPrivate: true }), { of: 'mine' })).toBeNull()
    expect(blockedReason(picture({ isPrivate: false }), list)).toBeNull()
    const unpublished = { of: 'unpublished', user: 'user-1' } as const
    expect(blockedReason(picture({ isPrivate: true }), unpublished)).toBeNull()
    expect(blockedReason(picture({ isPrivate: false }), unpublished)).toBe('public')
  })

  it('has a ratio and a like state', () => {
    expect(ratioOf(picture())).toBeCloseTo(640 / 480)
    expect(isLiked(picture({ likes: ['user-1'] }), user())).toBe(true)
    expect(isLiked(picture({ likes: ['user-1'] }), null)).toBe(false)
  })
})
