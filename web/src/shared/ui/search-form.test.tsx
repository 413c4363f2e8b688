import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { renderApp } from '@/shared/testing/render'
import { SearchForm } from './search-form'

const show = (onSearch: (words: string) => void, value = '') =>
  renderApp(<SearchForm label="Search workflows" value={value} maxLength={5} autoFocus onSearch={onSearch} />)

it('Enter searches for the trimmed text', async () => {
  const search = vi.fn()
  show(search)
  expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Search workflows' }))
  await userEvent.keyboard(' silk and more')
  expect(search).not.toHaveBeenCalled()
  await userEvent.keyboard('{Enter}')
  expect(search.mock.calls).toEqual([['silk']])
})

it('a pause in typing searches where the search filters a list, and what is typed during the search stays', async () => {
  const search = vi.fn()
  function Filtered() {
    const [words, setWords] = useState('')
    const take = (next: string) => {
      search(next)
      setWords(next)
    }
    return <SearchForm label="Search people" value={words} asTyped onSearch={take} />
  }
  renderApp(<Filtered />)
  const field = screen.getByRole<HTMLInputElement>('searchbox')
  await userEvent.type(field, 'mira ')
  await waitFor(() => expect(search.mock.calls).toEqual([['mira']]))
  expect(field.value, 'the space before the next word').toBe('mira ')
  await userEvent.type(field, 'k{Enter}')
  expect(search.mock.calls).toEqual([['mira'], ['mira k']])
})

it('another value from outside replaces what was typed and not yet searched', () => {
  vi.useFakeTimers()
  const search = vi.fn()
  const form = (value: string) => <SearchForm label="Search people" value={value} asTyped onSearch={search} />
  const { rerender } = render(form('silk'))
  const field = screen.getByRole<HTMLInputElement>('searchbox')
  fireEvent.change(field, { target: { value: 'silken' } })
  rerender(form(''))
  expect(field.value).toBe('')
  vi.advanceTimersByTime(1000)
  vi.useRealTimers()
  expect(search).not.toHaveBeenCalled()
})

it('clearing the field searches at once and keeps the focus', async () => {
  const search = vi.fn()
  show(search, 'silk')
  await userEvent.click(screen.getByRole('button', { name: 'Clear the search' }))
  expect(search.mock.calls).toEqual([['']])
  const field = screen.getByRole<HTMLInputElement>('searchbox')
  expect([field.value, document.activeElement === field]).toEqual(['', true])
  expect(screen.queryByRole('button', { name: 'Clear the search' })).toBeNull()
})
