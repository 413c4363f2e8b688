import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { dropItem, patchItem } from './patch-item'

type Post = { _id: string; likeCount: number; isLiked: boolean; tags?: string[] }
const CACHED_ITEMS = { lists: [['posts'], ['apps']], details: [['posts', 'detail']] }
const post = (change: Partial<Post> = {}): Post => ({ _id: 'a', likeCount: 1, isLiked: false, ...change })

function setup() {
  const client = new QueryClient()
  client.setQueryData(['posts', 'list', 'new'], {
    pages: [{ items: [post(), post({ _id: 'b' })] }],
    pageParams: [null],
  })
  client.setQueryData(['apps', 'best'], { items: [post()] })
  client.setQueryData(['posts', 'detail', 'a', true], post())
  const cached = () => [
    client.getQueryData<{ pages: { items: Post[] }[] }>(['posts', 'list', 'new'])?.pages[0]?.items[0],
    client.getQueryData<{ items: Post[] }>(['apps', 'best'])?.items[0],
    client.getQueryData<Post>(['posts', 'detail', 'a', true]),
  ]
  return { client, cached }
}
const like = (old: Post) => ({ isLiked: true, likeCount: old.likeCount + 1 })

it('changes an item in all lists and details and undoes it', () => {
  const { client, cached } = setup()
  const back = patchItem<Post>(client, CACHED_ITEMS, 'a', like)
  expect(cached()).toEqual(Array(3).fill(post({ isLiked: true, likeCount: 2 })))
  back()
  expect(cached()).toEqual(Array(3).fill(post()))
})

it('undo keeps newer changes', () => {
  const { client, cached } = setup()
  const back = patchItem<Post>(client, CACHED_ITEMS, 'a', like)
  patchItem<Post>(client, CACHED_ITEMS, 'a', () => ({ likeCount: 40, tags: ['silk'] }))
  back()
  expect(cached()).toEqual(Array(3).fill(post({ likeCount: 40, tags: ['silk'] })))
})

it('lists without changes keep their identity', () => {
  const { client } = setup()
  const before = client.getQueryData(['posts', 'list', 'new'])
  patchItem<Post>(client, CACHED_ITEMS, 'z', like)
  patchItem<Post>(client, CACHED_ITEMS, 'b', () => ({ isLiked: false }))
  expect(client.getQueryData(['posts', 'list', 'new'])).toBe(before)
})

it('removes items from lists and keeps open details', () => {
  const { client, cached } = setup()
  dropItem(client, CACHED_ITEMS, ['a'])
  expect(cached()).toEqual([post({ _id: 'b' }), undefined, post()])
})
