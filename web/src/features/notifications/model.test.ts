import { describe, expect, it } from 'vitest'
import {
  countOf,
  filterOf,
  isOfficial,
  linkOf,
  markSeen,
  maySendNotice,
  reduceCounts,
  sentence,
  targetOf,
} from './model'
import { notification } from './testing'
import { badge } from './unread'

describe('the badge', () => {
  it('ends at 99 on phones and at 999 elsewhere', () => {
    expect([99, 100].map((count) => badge(count, false))).toEqual(['99', '99+'])
    expect([999, 1000].map((count) => badge(count, true))).toEqual(['999', '999+'])
  })
})

describe('the filter', () => {
  it('shows everything for an unknown type', () => {
    expect(['NOTICE', 'nonsense', null].map(filterOf)).toEqual(['NOTICE', 'ALL', 'ALL'])
  })
})

describe('a notification', () => {
  it('links to the comment below its post', () => {
    expect(linkOf(notification())).toBe('/workflows/w-1?comment=c-1')
    const picture = notification({ workflow: null, outputAsset: { _id: 'p-1', thumbnailUrl: null } })
    expect(linkOf(picture)).toBe('/gallery/p-1?comment=c-1')
    expect(linkOf(notification({ workflow: null, comment: null }))).toBeNull()
  })

  it('of any type has a link, a text, or does not look pressable', () => {
    const nowhere = { workflow: null, outputAsset: null, comment: null } as const
    const other = ['LIKE', 'OTHERS'] as const
    for (const type of other) expect(targetOf(notification({ type, comment: null }))).toEqual({ to: '/workflows/w-1' })
    for (const type of ['COMMENT', ...other] as const) expect(targetOf(notification({ type, ...nowhere }))).toBeNull()
    const notice = notification({ type: 'NOTICE', ...nowhere, content: '<p>Sunday</p>' })
    expect(targetOf(notice)).toEqual({ html: '<p>Sunday</p>', to: null })
    expect(targetOf({ ...notice, workflow: 'w-1' })).toEqual({ html: '<p>Sunday</p>', to: '/workflows/w-1' })
    const request = notification({ type: 'REQUESTS', ...nowhere, content: 'Done <b>\n& more' })
    expect(targetOf(request)).toEqual({ html: '<p>Done &lt;b&gt;</p><p>&amp; more</p>', to: null })
    expect(targetOf({ ...request, content: null })).toBeNull()
    expect(targetOf({ ...request, workflow: 'w-1' })).toEqual({ to: '/workflows/w-1' })
  })

  it('says what happened', () => {
    const kinds = [
      notification(),
      notification({ recomment: true }),
      notification({ type: 'LIKE' }),
      notification({ type: 'NOTICE' }),
      notification({ type: 'REQUESTS' }),
      notification({ type: 'OTHERS', othersType: 'LAUNCH' }),
    ]
    expect(kinds.map(sentence)).toEqual(['commented', 'answered', 'liked', 'notice', 'request', 'launches'])
  })

  it("shows the product's logo for admins and automatic events", () => {
    expect(isOfficial(notification())).toBe(false)
    expect(
      isOfficial(notification({ user: { _id: 'a', name: 'Ann', profile: null, roles: ['Customer', 'Admin'] } })),
    ).toBe(true)
    expect(isOfficial(notification({ type: 'OTHERS', user: null }))).toBe(true)
    // The author has deleted their account.
    expect(isOfficial(notification({ user: null }))).toBe(false)
  })
})

describe('marking as seen', () => {
  const counts = { count: 5, byType: { COMMENT: 3, LIKE: 2, NOTICE: 0, REQUESTS: 0, OTHERS: 0 } }
  const now = '2026-11-21T08:00:00Z'

  it('marks one, and keeps a list without it unchanged', () => {
    const items = [notification(), notification({ _id: 'n-2' })]
    const after = markSeen(items, { ids: new Set(['n-2']) }, now)
    expect(after.map((one) => one.checkedAt)).toEqual([null, now])
    expect(markSeen(items, { ids: new Set(['elsewhere']) }, now)).toBe(items)
  })

  it('marks a type, or all, and keeps earlier times', () => {
    const seen = notification({ _id: 'n-3', checkedAt: '2026-11-20T09:00:00Z' })
    const items = [notification(), notification({ _id: 'n-2', type: 'LIKE' }), seen]
    const after = markSeen(items, { type: 'COMMENT' }, now)
    expect(after.map((one) => one.checkedAt)).toEqual([now, null, seen.checkedAt])
    expect(markSeen(items, { type: 'ALL' }, now).map((one) => one.checkedAt)).toEqual([now, now, seen.checkedAt])
  })

  it("reduces the total and the type's count, never below zero", () => {
    expect(countOf(reduceCounts(counts, { ids: new Set(['n-1']) }, [notification()]), 'COMMENT')).toBe(2)
    expect(reduceCounts(counts, { ids: new Set(['n-1']) }, [notification()]).count).toBe(4)
    expect(reduceCounts(counts, { type: 'COMMENT' }, [])).toMatchObject({ count: 2, byType: { COMMENT: 0, LIKE: 2 } })
    expect(countOf(reduceCounts(counts, { type: 'ALL' }, []), 'ALL')).toBe(0)
    expect(reduceCounts({ count: 0, byType: {} }, { ids: new Set(['n-1']) }, [notification()]).count).toBe(0)
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
