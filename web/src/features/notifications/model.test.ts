import { describe, expect, it } from 'vitest'
import type { Notification } from '@/shared/api/types'
import {
  checked,
  countedDown,
  countOf,
  filterOf,
  isOfficial,
  linkOf,
  maySendNotice,
  once,
  sentence,
  targetOf,
} from './model'
import { badge } from './unread'

const told = (change: Partial<Notification> = {}): Notification => ({
  _id: 'n-1',
  type: 'COMMENT',
  user: { _id: 'user-1', name: 'Mira', profile: null, roles: ['Customer'] },
  workflow: 'w-1',
  outputAsset: null,
  comment: 'c-1',
  categoryType: 'WORKFLOW',
  title: { workflow: 'Silk', count: null },
  recomment: false,
  content: 'Lovely',
  othersType: null,
  createdAt: '2026-11-20T08:00:00Z',
  checkedAt: null,
  ...change,
})

describe('the badge', () => {
  it('ends at 99 on phones and at 999 elsewhere', () => {
    expect([99, 100].map((count) => badge(count, false))).toEqual(['99', '99+'])
    expect([999, 1000].map((count) => badge(count, true))).toEqual(['999', '999+'])
  })
})

describe('the filter', () => {
  it('is everything for a word that nobody knows', () => {
    expect(['NOTICE', 'nonsense', null].map(filterOf)).toEqual(['NOTICE', 'ALL', 'ALL'])
  })
})

describe('a notification', () => {
  it('leads to the comment below its post', () => {
    expect(linkOf(told())).toBe('/workflows/w-1?comment=c-1')
    const picture = told({ workflow: null, outputAsset: { _id: 'p-1', thumbnailUrl: null } })
    expect(linkOf(picture)).toBe('/gallery/p-1?comment=c-1')
    expect(linkOf(told({ workflow: null, comment: null }))).toBeNull()
  })

  it('of any type leads somewhere, opens what it says, or does not look as if it did', () => {
    const nowhere = { workflow: null, outputAsset: null, comment: null } as const
    const other = ['LIKE', 'OTHERS'] as const
    for (const type of other) expect(targetOf(told({ type, comment: null }))).toEqual({ to: '/workflows/w-1' })
    for (const type of ['COMMENT', ...other] as const) expect(targetOf(told({ type, ...nowhere }))).toBeNull()
    const notice = told({ type: 'NOTICE', ...nowhere, content: '<p>Sunday</p>' })
    expect(targetOf(notice)).toEqual({ html: '<p>Sunday</p>', to: null })
    expect(targetOf({ ...notice, workflow: 'w-1' })).toEqual({ html: '<p>Sunday</p>', to: '/workflows/w-1' })
    const request = told({ type: 'REQUESTS', ...nowhere, content: 'Done <b>\n& more' })
    expect(targetOf(request)).toEqual({ html: '<p>Done &lt;b&gt;</p><p>&amp; more</p>', to: null })
    expect(targetOf({ ...request, content: null })).toBeNull()
    expect(targetOf({ ...request, workflow: 'w-1' })).toEqual({ to: '/workflows/w-1' })
  })

  it('says what happened', () => {
    const kinds = [
      told(),
      told({ recomment: true }),
      told({ type: 'LIKE' }),
      told({ type: 'NOTICE' }),
      told({ type: 'REQUESTS' }),
      told({ type: 'OTHERS', othersType: 'LAUNCH' }),
    ]
    expect(kinds.map(sentence)).toEqual(['commented', 'answered', 'liked', 'notice', 'request', 'launches'])
  })

  it('bears the sign of the product where an admin, or nobody, did it', () => {
    expect(isOfficial(told())).toBe(false)
    expect(isOfficial(told({ user: { _id: 'a', name: 'Ann', profile: null, roles: ['Customer', 'Admin'] } }))).toBe(
      true,
    )
    expect(isOfficial(told({ type: 'OTHERS', user: null }))).toBe(true)
    // Somebody who has left is no operator.
    expect(isOfficial(told({ user: null }))).toBe(false)
  })

  it('stands once in a history that grew while it was read', () => {
    const [one, two] = [told(), told({ _id: 'n-2' })]
    expect(once([{ items: [one, two] }, { items: [two] }])).toEqual([one, two])
  })
})

describe('checking', () => {
  const counts = { count: 5, byType: { COMMENT: 3, LIKE: 2, NOTICE: 0, REQUESTS: 0, OTHERS: 0 } }
  const now = '2026-11-21T08:00:00Z'

  it('marks one, and leaves a list without it as it is', () => {
    const items = [told(), told({ _id: 'n-2' })]
    const after = checked(items, { ids: new Set(['n-2']) }, now)
    expect(after.map((one) => one.checkedAt)).toEqual([null, now])
    expect(checked(items, { ids: new Set(['elsewhere']) }, now)).toBe(items)
  })

  it('marks a type, or all, and keeps when something was seen before', () => {
    const seen = told({ _id: 'n-3', checkedAt: '2026-11-20T09:00:00Z' })
    const items = [told(), told({ _id: 'n-2', type: 'LIKE' }), seen]
    const after = checked(items, { type: 'COMMENT' }, now)
    expect(after.map((one) => one.checkedAt)).toEqual([now, null, seen.checkedAt])
    expect(checked(items, { type: 'ALL' }, now).map((one) => one.checkedAt)).toEqual([now, now, seen.checkedAt])
  })

  it('counts down in all and in its type, and never below nothing', () => {
    expect(countOf(countedDown(counts, { ids: new Set(['n-1']) }, [told()]), 'COMMENT')).toBe(2)
    expect(countedDown(counts, { ids: new Set(['n-1']) }, [told()]).count).toBe(4)
    expect(countedDown(counts, { type: 'COMMENT' }, [])).toMatchObject({ count: 2, byType: { COMMENT: 0, LIKE: 2 } })
    expect(countOf(countedDown(counts, { type: 'ALL' }, []), 'ALL')).toBe(0)
    expect(countedDown({ count: 0, byType: {} }, { ids: new Set(['n-1']) }, [told()]).count).toBe(0)
  })
})

describe('a notice', () => {
  it('needs a title and a text in both languages', () => {
    const whole = { titleEn: 'Hello', titleKo: '안녕', contentEn: '<p>Hi</p>', contentKo: '<p>네</p>' }
    expect(maySendNotice(whole)).toBe(true)
    for (const key of Object.keys(whole)) expect(maySendNotice({ ...whole, [key]: '' })).toBe(false)
    expect(maySendNotice({ ...whole, titleEn: 'a'.repeat(101) })).toBe(false)
  })
})
