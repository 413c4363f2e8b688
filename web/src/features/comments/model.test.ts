import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { HELD, keys } from '@/shared/api/keys'
import { dropItem } from '@/shared/api/patch-item'
import type { Comment, CommentPage } from '@/shared/api/types'
import { draft, dropCommentDrafts } from './drafts'
import {
  added,
  emptied,
  flat,
  isCounted,
  isShown,
  lengthOf,
  maySend,
  opensByItself,
  reacted,
  refreshAfter,
  whyNot,
} from './model'

const comment = (change: Partial<Comment> = {}): Comment => ({
  _id: 'comment-1',
  user: { _id: 'user-1', name: 'Mira', profile: null, roles: ['Customer'] },
  content: '<p>Lovely</p>',
  depth: 0,
  parent: null,
  workflow: 'workflow-1',
  outputAsset: null,
  replyCount: 0,
  likeCount: 3,
  dislikeCount: 1,
  isLike: null,
  createdAt: '2026-11-20T08:00:00Z',
  editedAt: null,
  isHidden: false,
  ...change,
})
const page = (...items: Comment[]): CommentPage => ({
  items,
  commentCount: items.length,
  pagination: { currentPage: 1, totalPages: 1, totalCount: items.length, limit: 20 },
})

describe('what may be sent', () => {
  it('counts characters of text, not tags', () => {
    expect(lengthOf('<p><strong>가나</strong> 👍</p>')).toBe(4)
  })

  it('is 580 characters and not one more, and shows the counter from there', () => {
    const [almost, full, over] = [579, 580, 581].map((length) => `<p>${'a'.repeat(length)}</p>`)
    expect([almost, full, over].map((html) => maySend(html ?? ''))).toEqual([true, true, false])
    expect([almost, full, over].map((html) => isCounted(html ?? ''))).toEqual([false, true, true])
  })

  it('is neither nothing nor a picture alone, and has no more than four pictures', () => {
    expect(maySend('<p>  <br></p>')).toBe(false)
    const picture = '<p><img src="/media/raw/ab.png"></p>'
    expect([maySend(picture), whyNot(picture)]).toEqual([false, 'pictureAlone'])
    const shown = `<p>look</p>${picture.repeat(4)}`
    expect([maySend(shown), whyNot(shown)]).toEqual([true, undefined])
    expect([maySend(shown + picture), whyNot(shown + picture)]).toEqual([false, 'tooManyPictures'])
  })
})

describe('a reaction', () => {
  it('is taken back when it is pressed again, and replaces the other one', () => {
    const liked = reacted(comment(), true)
    expect([liked.isLike, liked.likeCount, liked.dislikeCount]).toEqual([true, 4, 1])
    const other = reacted(liked, false)
    expect([other.isLike, other.likeCount, other.dislikeCount]).toEqual([false, 3, 2])
    expect(reacted(other, false)).toEqual(comment())
  })
})

describe('a list', () => {
  it('keeps a deleted comment while it has answers, as a placeholder', () => {
    expect(isShown(emptied(comment({ replyCount: 1 })))).toBe(true)
    expect(isShown(emptied(comment()))).toBe(false)
  })

  it('opens answers by itself where there are fewer than four', () => {
    expect([0, 1, 3, 4].map((replyCount) => opensByItself(comment({ replyCount })))).toEqual([false, true, true, false])
  })

  it('shows a comment once that moved onto the next page', () => {
    const [one, two] = [comment(), comment({ _id: 'comment-2' })]
    expect(flat({ pages: [page(one, two), page(two)] }).map((item) => item._id)).toEqual(['comment-1', 'comment-2'])
  })

  it('takes new comments at its head and answers at its end, and counts them', () => {
    const pages = { pages: [page(comment())], pageParams: [1] }
    const next = comment({ _id: 'comment-2' })
    expect(added(pages, next, 'start').pages[0]?.items.map((item) => item._id)).toEqual(['comment-2', 'comment-1'])
    expect(added(pages, next, 'end').pages[0]?.commentCount).toBe(2)
    const client = new QueryClient()
    const key = [...keys.comments.of, 'workflow', 'w']
    client.setQueryData(key, pages)
    dropItem(client, HELD.comment, 'elsewhere')
    expect(client.getQueryData(key)).toBe(pages)
    dropItem(client, HELD.comment, 'comment-1')
    expect(client.getQueryData<typeof pages>(key)?.pages[0]?.items).toEqual([])
  })
})

describe('a draft', () => {
  it('belongs to one person and one place', () => {
    draft.keep('user-1', 'workflow.1', '<p>Half a th</p>')
    expect(draft.of('user-1', 'workflow.1')).toBe('<p>Half a th</p>')
    expect([draft.of('user-2', 'workflow.1'), draft.of('user-1', 'workflow.2')]).toEqual(['', ''])
    draft.keep('user-1', 'workflow.1', '')
    expect(draft.of('user-1', 'workflow.1')).toBe('')
  })

  it('is gone with all others when somebody signs out', () => {
    draft.keep('user-1', 'workflow.1', '<p>One</p>')
    draft.keep('user-1', 'parent.2', '<p>Two</p>')
    window.sessionStorage.setItem('elsewhere', 'kept')
    dropCommentDrafts()
    expect(draft.of('user-1', 'parent.2')).toBe('')
    expect(window.sessionStorage.getItem('elsewhere')).toBe('kept')
    expect(draft.of('user-1', 'workflow.1')).toBe('')
  })
})

it('a conversation is loaded again while it is read, but for a long one of which much is open', () => {
  expect([0, 1, 3, 4].map(refreshAfter)).toEqual([false, 30_000, 30_000, false])
})
