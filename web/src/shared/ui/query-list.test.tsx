import { keepPreviousData, QueryClient, QueryClientProvider, useInfiniteQuery } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { cursorQuery } from '@/shared/api/cursor-query'
import { ApiError } from '@/shared/api/errors'
import { QueryRows } from './query-list'

type Page = { items: { _id: string }[]; nextCursor?: string }
type Answer = Page | Error

function open(...answers: Answer[]) {
  const fetchPage = vi.fn(async () => {
    const answer = answers[Math.min(fetchPage.mock.calls.length, answers.length) - 1] as Answer
    if (answer instanceof Error) throw answer
    return answer
  })
  function List() {
    const list = useInfiniteQuery(cursorQuery(['rows'], fetchPage))
    return (
      <QueryRows
        list={list}
        skeleton={{ height: 10 }}
        empty={<p>{'nothing'}</p>}
        refused={(error) => error instanceof ApiError && error.status === 400 && <p>{'no id'}</p>}
      >
        {(row) => <b>{row._id}</b>}
      </QueryRows>
    )
  }
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <List />
    </QueryClientProvider>,
  )
  return fetchPage
}
const items = (...ids: string[]) => ids.map((_id) => ({ _id }))

it('shows skeletons, then rows, and announces the count', async () => {
  open({ items: items('a', 'b'), nextCursor: '2' }, { items: items('c') })
  expect(document.querySelector('[aria-busy=true]')).toBeTruthy()
  expect(await screen.findByText('a')).toBeTruthy()
  expect(screen.getByRole('status').textContent).toBe('2 shown, and there are more')
  await userEvent.click(screen.getByRole('button', { name: 'Load more' }))
  expect(await screen.findByText('c')).toBeTruthy()
  expect(screen.getByRole('status').textContent).toBe('3 in all')
})

it('keeps loaded items if the next page fails, and retries it', async () => {
  open({ items: items('a'), nextCursor: '2' }, new ApiError(503), { items: items('b') })
  await userEvent.click(await screen.findByRole('button', { name: 'Load more' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Try Again' }))
  expect(await screen.findByText('b')).toBeTruthy()
  expect(screen.getByText('a')).toBeTruthy()
})

it('shows the empty state only if no page follows', async () => {
  open({ items: [], nextCursor: '2' }, { items: [] })
  const more = await screen.findByRole('button', { name: 'Load more' })
  expect(screen.queryByText('nothing')).toBeNull()
  await userEvent.click(more)
  expect(await screen.findByText('nothing')).toBeTruthy()
})

it('retries a failure and explains a refusal', async () => {
  open(new ApiError(503), new ApiError(400))
  await userEvent.click(await screen.findByRole('button', { name: 'Try Again' }))
  expect(await screen.findByText('no id')).toBeTruthy()
})

it('shows skeletons while a search follows one that found nothing', async () => {
  const never = new Promise<Page>(() => {})
  function Search() {
    const [words, setWords] = useState('nothing')
    const fetchPage = async (): Promise<Page> => (words === 'nothing' ? { items: [] } : never)
    const list = useInfiniteQuery({ ...cursorQuery(['rows', words], fetchPage), placeholderData: keepPreviousData })
    return (
      <>
        <button type="button" onClick={() => setWords('boat')}>
          {'search'}
        </button>
        <QueryRows list={list} skeleton={{ height: 10 }} empty={<p>{'nothing'}</p>}>
          {(row) => <b>{row._id}</b>}
        </QueryRows>
      </>
    )
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Search />
    </QueryClientProvider>,
  )
  expect(await screen.findByText('nothing')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'search' }))
  expect(screen.queryByText('nothing')).toBeNull()
  expect(document.querySelector('[aria-busy=true]')).toBeTruthy()
})
