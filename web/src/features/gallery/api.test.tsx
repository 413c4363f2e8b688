import { useInfiniteQuery } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { userQuery } from '@/features/auth'
import { createQueryClient } from '@/shared/api/query-client'
import { picture, user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { picturesQuery, useDeletePictures, useLike, useSetPrivate } from './api'

const MINE = picturesQuery({ of: 'mine' }, true)
const PRIVATES = 'PATCH /api/general/output-asset/privates'

function Buttons() {
  const setPrivate = useSetPrivate()
  const remove = useDeletePictures()
  const like = useLike(() => 'not liked')
  return (
    <>
      <button type="button" onClick={() => like({ id: 'picture-2', on: true })}>
        {'like'}
      </button>
      <button type="button" onClick={() => setPrivate.mutate({ ids: ['picture-1'], isPrivate: false })}>
        {'publish'}
      </button>
      <button
        type="button"
        onClick={() => setPrivate.mutate({ ids: ['picture-1', 'picture-3'], isPrivate: false, showsOrigin: false })}
      >
        {'hide origin'}
      </button>
      <button type="button" onClick={() => remove.mutate(['picture-1'])}>
        {'delete'}
      </button>
    </>
  )
}

function setup(handlers: Parameters<typeof stubApi>[0], items = [picture(), picture({ _id: 'picture-2' })]) {
  const requests = stubApi(handlers)
  const client = createQueryClient()
  client.setQueryData(userQuery().queryKey, user())
  client.setQueryData(MINE.queryKey, {
    pages: [{ items, nextCursor: null }],
    pageParams: [null],
  })
  renderApp(<Buttons />, { client })
  const shown = () => client.getQueryData(MINE.queryKey)?.pages.flatMap((page) => page.items) ?? []
  return { requests, shown }
}

describe('publishing a picture', () => {
  it('shows at once, and rolls back when the server refuses', async () => {
    let refuse: () => void = () => undefined
    const asked = new Promise<void>((resolve) => {
      refuse = resolve
    })
    const { shown } = setup({
      [PRIVATES]: async () => {
        await asked
        return { status: 403, body: { code: 'FORBIDDEN', message: 'not yours' } }
      },
    })
    await userEvent.click(screen.getByRole('button', { name: 'publish' }))
    await waitFor(() => expect(shown()[0]?.isPrivate).toBe(false))
    expect(shown()[1]?.isPrivate).toBe(true)
    refuse()
    await waitFor(() => expect(shown()[0]?.isPrivate).toBe(true))
  })

  it('keeps pictures public that were public before when the server refuses', async () => {
    const { shown, requests } = setup(
      { [PRIVATES]: { status: 429, body: { code: 'TOO_MANY_REQUESTS', message: 'slowly' } } },
      [picture(), picture({ _id: 'picture-3', isPrivate: false })],
    )
    await userEvent.click(screen.getByRole('button', { name: 'hide origin' }))
    await waitFor(() => expect(requests).toHaveLength(1))
    await waitFor(() => expect(shown().map((item) => item.isPrivate)).toEqual([true, false]))
  })
})

describe('deleting a picture', () => {
  it('removes it from the list and sends its id', async () => {
    const { shown, requests } = setup({ 'DELETE /api/general/output-asset': { body: { deletedCount: 1 } } })
    await userEvent.click(screen.getByRole('button', { name: 'delete' }))
    await waitFor(() => expect(shown().map((item) => item._id)).toEqual(['picture-2']))
    const filter = new URLSearchParams(requests[0]?.search).get('filter')
    expect(JSON.parse(filter ?? '')).toEqual({ _id: { $in: ['picture-1'] } })
  })
})

describe('a like', () => {
  const LIKE = 'PUT /api/general/output-asset-like/picture-2'

  it('shows at once and takes the count of the server', async () => {
    const { shown } = setup({ [LIKE]: { body: { isLike: true, likeCount: 12 } } })
    await userEvent.click(screen.getByRole('button', { name: 'like' }))
    expect(shown()[1]?.likes).toEqual(['user-1'])
    await waitFor(() => expect(shown()[1]?.likeCount).toBe(12))
  })

  it('sends one request for a double press, with the wanted state, and takes the answer', async () => {
    const { requests, shown } = setup({ [LIKE]: { body: { isLike: false, likeCount: 3 } } })
    await userEvent.dblClick(screen.getByRole('button', { name: 'like' }))
    await waitFor(() => expect(shown()[1]).toMatchObject({ likes: [], likeCount: 3 }))
    expect(requests.filter(({ path }) => path.includes('like'))).toHaveLength(1)
  })

  it('rolls back when the server refuses', async () => {
    const { shown } = setup({ [LIKE]: { status: 500, body: { code: 'INTERNAL', message: 'x' } } })
    await userEvent.click(screen.getByRole('button', { name: 'like' }))
    await waitFor(() => expect(shown()[1]).toMatchObject({ likes: [], likeCount: 0 }))
  })
})

describe('another order', () => {
  function List() {
    const [sort, setSort] = useState<'newest' | 'like'>('newest')
    const list = useInfiniteQuery(picturesQuery({ of: 'public', sort, nsfw: 'View' }, false))
    return (
      <>
        <button type="button" onClick={() => setSort('like')}>
          {'most liked'}
        </button>
        <output>{list.data?.map((item) => item._id).join() ?? 'nothing'}</output>
      </>
    )
  }

  it('keeps the loaded pictures until the new ones arrive', async () => {
    let come: () => void = () => undefined
    const asked = new Promise<void>((resolve) => {
      come = resolve
    })
    stubApi({
      'GET /api/public/output-asset': async (request) => {
        const liked = request.url.includes('sort=like')
        if (liked) await asked
        return { body: { items: [picture({ _id: liked ? 'loved' : 'fresh' })], nextCursor: null } }
      },
    })
    renderApp(<List />)
    expect(await screen.findByText('fresh')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'most liked' }))
    expect(screen.getByRole('status').textContent).toBe('fresh')
    come()
    expect(await screen.findByText('loved')).toBeTruthy()
  })
})

describe('the public list', () => {
  const list = { of: 'public', sort: 'newest', nsfw: 'View' } as const

  it('is one call for guests and users, not repeated when the session is known', () => {
    expect(picturesQuery(list, true).queryKey).toEqual(picturesQuery(list, false).queryKey)
    const published = { of: 'published', user: 'user-2', sort: 'newest', nsfw: 'View' } as const
    expect(picturesQuery(published, true).queryKey).not.toEqual(picturesQuery(published, false).queryKey)
  })
})
