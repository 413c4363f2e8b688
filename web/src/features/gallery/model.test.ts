import { describe, expect, it } from 'vitest'
import { picture, user } from '@/shared/testing/factories'
import {
  addRange,
  byDate,
  daysLeft,
  expiryOf,
  hiddenBecause,
  isLiked,
  MOST_SELECTED,
  NOTHING,
  ratioOf,
  toggleOne,
} from './model'

const NOW = Date.parse('2026-11-20T12:00:00Z')

describe('the end of a private picture', () => {
  it.each([
    ['2025-04-21T23:00:00Z', '2025-06-21T00:00:00.000Z'],
    ['2025-04-22T00:00:00Z', '2025-05-22T00:00:00.000Z'],
    ['2026-11-01T08:00:00Z', '2026-12-01T08:00:00.000Z'],
  ])('of %s is %s', (createdAt, end) => {
    expect(new Date(expiryOf({ createdAt })).toISOString()).toBe(end)
  })

  it('is what the server says where it says so', () => {
    const end = '2026-11-25T00:00:00Z'
    expect(expiryOf({ createdAt: '2026-11-01T00:00:00Z', expiresAt: end })).toBe(Date.parse(end))
  })

  it('is told in whole days, and never in less than none', () => {
    expect(daysLeft(NOW + 86_400_000 * 2.2, NOW)).toBe(3)
    expect(daysLeft(NOW - 5, NOW)).toBe(0)
  })
})

describe('pictures by date', () => {
  it('stand together by day with the days of the first to go', () => {
    const on = (createdAt: string, expiresAt: string | null, isPrivate = true) =>
      picture({ createdAt, expiresAt, isPrivate })
    const sections = byDate(
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

  it('grows and shrinks by one', () => {
    const one = toggleOne(NOTHING, 'b')
    expect([...one.ids]).toEqual(['b'])
    expect([...toggleOne(one, 'b').ids]).toEqual([])
  })

  it('takes a range in either direction, and keeps what was there', () => {
    const start = toggleOne(toggleOne(NOTHING, 'a'), 'd')
    expect([...addRange(start, order, 'c').ids].sort()).toEqual(['a', 'c', 'd'])
    const back = addRange(toggleOne(NOTHING, 'b'), order, 'e')
    expect([...back.ids]).toEqual(['b', 'c', 'd', 'e'])
    expect([...addRange(back, order, 'a').ids].sort()).toEqual(order)
  })

  it('begins with one where no range has a beginning', () => {
    expect([...addRange(NOTHING, order, 'c').ids]).toEqual(['c'])
  })

  it('never names more than one call may', () => {
    const long = Array.from({ length: 900 }, (_, index) => `p${index}`)
    const all = addRange(toggleOne(NOTHING, 'p0'), long, 'p899')
    expect(all.ids.size).toBe(MOST_SELECTED)
  })
})

describe('a picture of a list', () => {
  it('cannot be opened where it was deleted, hidden by somebody else, or published meanwhile', () => {
    const list = { of: 'public', sort: 'newest', nsfw: 'View' } as const
    expect(hiddenBecause(picture({ viewCount: -1 }), { of: 'liked', user: 'x' })).toBe('deleted')
    expect(hiddenBecause(picture({ isPrivate: true }), list)).toBe('hidden')
    expect(hiddenBecause(picture({ isPrivate: true }), { of: 'mine' })).toBeNull()
    expect(hiddenBecause(picture({ isPrivate: false }), list)).toBeNull()
    const unpublished = { of: 'unpublished', user: 'user-1' } as const
    expect(hiddenBecause(picture({ isPrivate: true }), unpublished)).toBeNull()
    expect(hiddenBecause(picture({ isPrivate: false }), unpublished)).toBe('public')
  })

  it('knows its shape and whether it is liked', () => {
    expect(ratioOf(picture())).toBeCloseTo(640 / 480)
    expect(isLiked(picture({ likes: ['user-1'] }), user())).toBe(true)
    expect(isLiked(picture({ likes: ['user-1'] }), null)).toBe(false)
  })
})
