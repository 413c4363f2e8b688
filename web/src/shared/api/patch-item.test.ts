import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { dropItem, patchItem } from './patch-item'

type Post = { _id: string; likeCount: number; isLiked: boolean; tags?: string[] }
const HELD = { lists: [['posts'], ['apps']], details: [['posts', 'detail']] }
const post = (change: Partial<Post> = {}): Post => ({ _id: 'a', likeCount: 1, isLiked: false, ...change })

function setup() {
  const client = new QueryClient()
  client.setQueryData(['posts', 'list', 'new'], {
    pages: [{ items: [post(), post({ _id: 'b' })] }],
    pageParams: [null],
  })
  client.setQueryData(['apps', 'best'], { items: [post()] })
  client.setQueryData(['posts', 'detail', 'a', true], post())
  const held = () => [
    client.getQueryData<{ pages: { items: Post[] }[] }>(['posts', 'list', 'new'])?.pages[0]?.items[0],
    client.getQueryData<{ items: Post[] }>(['apps', 'best'])?.items[0],
    client.getQueryData<Post>(['posts', 'detail', 'a', true]),
  ]
  return { client, held }
}
const like = (old: Post) => ({ isLiked: true, likeCount: old.likeCount + 1 })

it('changes an item in all lists and in its own page, and takes all of it back', () => {
  const { client, held } = setup()
  const back = patchItem<Post>(client, HELD, 'a', like)
  expect(held()).toEqual(Array(3).fill(post({ isLiked: true, likeCount: 2 })))
  back()
  expect(held()).toEqual(Array(3).fill(post()))
})

it('takes back no more than it set: what came meanwhile stays', () => {
  const { client, held } = setup()
  const back = patchItem<Post>(client, HELD, 'a', like)
  patchItem<Post>(client, HELD, 'a', () => ({ likeCount: 40, tags: ['silk'] }))
  back()
  expect(held()).toEqual(Array(3).fill(post({ likeCount: 40, tags: ['silk'] })))
})

it('leaves lists as they are in which nothing changes, so that nothing is drawn again', () => {
  const { client } = setup()
  const before = client.getQueryData(['posts', 'list', 'new'])
  patchItem<Post>(client, HELD, 'z', like)
  patchItem<Post>(client, HELD, 'b', () => ({ isLiked: false }))
  expect(client.getQueryData(['posts', 'list', 'new'])).toBe(before)
})

it('takes items out of lists, and leaves the page of one that is open', () => {
  const { client, held } = setup()
  dropItem(client, HELD, ['a'])
  expect(held()).toEqual([post({ _id: 'b' }), undefined, post()])
})
