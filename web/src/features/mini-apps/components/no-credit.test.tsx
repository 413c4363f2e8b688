import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { renderApp } from '@/shared/testing/render'
import NoCredit from './no-credit'

it('a user without credits is shown the plans, or dismisses the prompt', async () => {
  const later = vi.fn()
  renderApp(<NoCredit onLater={later} />)
  expect(screen.getAllByRole('link')).toHaveLength(1)
  expect(screen.getByRole('link', { name: 'See plans' }).getAttribute('href')).toBe('/pricing')
  await userEvent.click(screen.getByRole('button', { name: 'Later' }))
  expect(later).toHaveBeenCalledOnce()
})
