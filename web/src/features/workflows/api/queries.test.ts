import { describe, expect, it } from 'vitest'
import type { CursorPage, Workflow } from '@/shared/api/types'
import { workflow } from '@/shared/testing/factories'
import { type Found, workflowsQuery } from './queries'

const page = (authors: string[]): CursorPage<Workflow> => ({
  items: authors.map((_id, place) =>
    workflow({ _id: `w${place}`, user: { _id, name: _id, profile: null, socialProfile: null } }),
  ),
  nextCursor: null,
})
const shown = (found: Found, ...pages: CursorPage<Workflow>[]) =>
  workflowsQuery(found)
    .select?.({ pages, pageParams: [] })
    .map(({ user }) => user?._id)
    .join('')

describe('a list of workflows', () => {
  const busy = page(['a', 'a', 'a', 'a', 'b', 'c'])

  it('has at most two neighbours of one author in a feed', () => {
    expect(shown({ nsfw: 'View' }, busy)).toBe('aabaac')
    expect(shown({ nsfw: 'View', sort: 'newest' }, busy)).toBe('aabaac')
    expect(shown({ nsfw: 'View', sort: 'publishedAt' }, busy)).toBe('aabaac')
  })

  it('keeps orders by count, and search results', () => {
    expect(shown({ nsfw: 'View', sort: 'like' }, busy)).toBe('aaaabc')
    expect(shown({ nsfw: 'View', q: 'silk' }, busy)).toBe('aaaabc')
  })
})
