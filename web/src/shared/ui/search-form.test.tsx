import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
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

it('clearing the field searches at once and keeps the focus', async () => {
  const search = vi.fn()
  show(search, 'silk')
  await userEvent.click(screen.getByRole('button', { name: 'Clear the search' }))
  expect(search.mock.calls).toEqual([['']])
  const field = screen.getByRole<HTMLInputElement>('searchbox')
  expect([field.value, document.activeElement === field]).toEqual(['', true])
  expect(screen.queryByRole('button', { name: 'Clear the search' })).toBeNull()
})
