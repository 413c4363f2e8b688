import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '@/shared/api/errors'
import { renderApp } from '@/shared/testing/render'
import { PageError } from './page-error'

const show = (error: unknown, onRetry = () => undefined) =>
  renderApp(<PageError error={error} onRetry={onRetry} />, { path: '/somewhere' })

describe('the error screens', () => {
  it('send guests to /not-found', async () => {
    const { router } = show(new ApiError(401))
    await waitFor(() => expect(router.state.location.pathname).toBe('/not-found'))
    expect(router.state.historyAction).toBe('REPLACE')
  })

  it('show 404 and the way back for missing items', () => {
    show(new ApiError(404))
    expect(screen.getByText('404')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Go back' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Go to Home' }).getAttribute('href')).toBe('/')
  })

  it('show the error, the request id and a retry for other responses', async () => {
    const retry = vi.fn()
    show(new ApiError(500, { code: 'INTERNAL', message: 'x', requestId: 'r-77' }), retry)
    expect(screen.getByText('Something went wrong')).toBeTruthy()
    expect(screen.getByText('Request r-77')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Go to Home' }).getAttribute('href')).toBe('/')
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(retry).toHaveBeenCalledOnce()
  })

  it('show "Error..." for errors thrown by the page', () => {
    show(new Error('x is undefined'))
    expect(screen.getByText('Error...')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Try Again' })).toBeTruthy()
  })
})
