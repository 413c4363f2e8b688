import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { CACHED_ITEMS, keys } from '@/shared/api/keys'
import { dropItem } from '@/shared/api/patch-item'
import { draft, dropCommentDrafts } from './drafts'
import {
  asDeleted,
  canSend,
  characterCount,
  commentProblem,
  isCounted,
  isShown,
  opensByDefault,
  refreshAfter,
  uniqueComments,
  withComment,
  withReaction,
} from './model'
import { comment, page } from './testing'

describe('a comment to send', () => {
  it('counts characters of text, not tags', () => {
    expect(characterCount('<p><strong>가나</strong> 👍</p>')).toBe(4)
  })

  it('has at most 580 characters, with a counter above that', () => {
    const [almost, full, over] = [579, 580, 581].map((length) => `<p>${'a'.repeat(length)}</p>`)
    expect([almost, full, over].map((html) => canSend(html ?? ''))).toEqual([true, true, false])
    expect([almost, full, over].map((html) => isCounted(html ?? ''))).toEqual([false, true, true])
  })

  it('is neither empty nor a picture alone, and has at most four pictures', () => {
    expect(canSend('<p>  <br></p>')).toBe(false)
    const picture = '<p><img src="/media/raw/ab.png"></p>'
    expect([canSend(picture), commentProblem(picture)]).toEqual([false, 'pictureAlone'])
    const shown = `<p>look</p>${picture.repeat(4)}`
    expect([canSend(shown), commentProblem(shown)]).toEqual([true, undefined])
    expect([canSend(shown + picture), commentProblem(shown + picture)]).toEqual([false, 'tooManyPictures'])
  })
})

describe('a reaction', () => {
  it('is removed by a second press, and replaces the other one', () => {
    const liked = withReaction(comment(), true)
    expect([liked.isLike, liked.likeCount, liked.dislikeCount]).toEqual([true, 4, 1])
    const other = withReaction(liked, false)
    expect([other.isLike, other.likeCount, other.dislikeCount]).toEqual([false, 3, 2])
    expect(withReaction(other, false)).toEqual(comment())
  })
})

describe('a list of comments', () => {
  it('keeps a deleted comment as a placeholder while it has replies', () => {
    expect(isShown(asDeleted(comment({ replyCount: 1 })))).toBe(true)
    expect(isShown(asDeleted(comment()))).toBe(false)
  })

  it('opens fewer than four replies by default', () => {
    expect([0, 1, 3, 4].map((replyCount) => opensByDefault(comment({ replyCount })))).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  it('drops a comment that was also on the previous page', () => {
    const [one, two] = [comment(), comment({ _id: 'comment-2' })]
    expect(uniqueComments({ pages: [page(one, two), page(two)] }).map((item) => item._id)).toEqual([
      'comment-1',
      'comment-2',
    ])
  })

  it('adds new comments at the start and replies at the end, and counts them', () => {
    const pages = { pages: [page(comment())], pageParams: [1] }
    const next = comment({ _id: 'comment-2' })
    expect(withComment(pages, next, 'start').pages[0]?.items.map((item) => item._id)).toEqual([
      'comment-2',
      'comment-1',
    ])
    expect(withComment(pages, next, 'end').pages[0]?.commentCount).toBe(2)
    const client = new QueryClient()
    const key = [...keys.comments.of, 'workflow', 'w']
    client.setQueryData(key, pages)
    dropItem(client, CACHED_ITEMS.comment, 'elsewhere')
    expect(client.getQueryData(key)).toBe(pages)
    dropItem(client, CACHED_ITEMS.comment, 'comment-1')
    expect(client.getQueryData<typeof pages>(key)?.pages[0]?.items).toEqual([])
  })
})

describe('a draft', () => {
  it('belongs to one user and one post', () => {
    draft.keep('user-1', 'workflow.1', '<p>Half a th</p>')
    expect(draft.of('user-1', 'workflow.1')).toBe('<p>Half a th</p>')
    expect([draft.of('user-2', 'workflow.1'), draft.of('user-1', 'workflow.2')]).toEqual(['', ''])
    draft.keep('user-1', 'workflow.1', '')
    expect(draft.of('user-1', 'workflow.1')).toBe('')
  })

  it('is deleted with all others on sign-out', () => {
    draft.keep('user-1', 'workflow.1', '<p>One</p>')
    draft.keep('user-1', 'parent.2', '<p>Two</p>')
    window.sessionStorage.setItem('elsewhere', 'kept')
    dropCommentDrafts()
    expect(draft.of('user-1', 'parent.2')).toBe('')
    expect(window.sessionStorage.getItem('elsewhere')).toBe('kept')
    expect(draft.of('user-1', 'workflow.1')).toBe('')
  })
})

it('a short conversation is refetched while it is read, a long one is not', () => {
  expect([0, 1, 3, 4].map(refreshAfter)).toEqual([false, 30_000, 30_000, false])
})
