import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { createQueryClient } from '@/shared/api/query-client'
import { picture } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { myPicturesQuery, useDeletePictures, useSetPrivate } from './api'

const PRIVATES = 'PATCH /api/general/output-asset/privates'

function Buttons() {
  const setPrivate = useSetPrivate()
  const remove = useDeletePictures()
  return (
    <>
      <button type="button" onClick={() => setPrivate.mutate({ ids: ['picture-1'], isPrivate: false })}>
        {'publish'}
      </button>
      <button type="button" onClick={() => remove.mutate(['picture-1'])}>
        {'delete'}
      </button>
    </>
  )
}

function setup(handlers: Parameters<typeof stubApi>[0]) {
  const requests = stubApi(handlers)
  const client = createQueryClient()
  client.setQueryData(myPicturesQuery().queryKey, {
    pages: [{ items: [picture(), picture({ _id: 'picture-2' })], nextCursor: null }],
    pageParams: [null],
  })
  renderApp(<Buttons />, { client })
  const shown = () => client.getQueryData(myPicturesQuery().queryKey)?.pages.flatMap((page) => page.items) ?? []
  return { requests, shown }
}

describe('publishing a picture', () => {
  it('shows at once, and is taken back when the server refuses', async () => {
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
})

describe('deleting a picture', () => {
  it('takes it out of the list and names it to the server', async () => {
    const { shown, requests } = setup({ 'DELETE /api/general/output-asset': { body: { deletedCount: 1 } } })
    await userEvent.click(screen.getByRole('button', { name: 'delete' }))
    await waitFor(() => expect(shown().map((item) => item._id)).toEqual(['picture-2']))
    const filter = new URLSearchParams(requests[0]?.search).get('filter')
    expect(JSON.parse(filter ?? '')).toEqual({ _id: { $in: ['picture-1'] } })
  })
})
