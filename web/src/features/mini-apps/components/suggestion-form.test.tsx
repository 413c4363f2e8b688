import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { workflow } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { SuggestionForm } from './suggestion-form'

const silk = workflow({ name: 'Silk', workflowApi: 'app-1' })
const stubSuggestions = (drawsWords: boolean) =>
  stubApi({
    'GET /api/public/mini-app/suggest': {
      body: {
        fitting: drawsWords ? [{ app: silk, words: [], drawsWords }] : [],
        waiting: [],
        others: [],
        drawingPools: [],
        task: 'TextToImage',
        generators: [],
        generatorsAway: [],
      },
    },
    'GET /api/public/mini-app': { body: { items: [silk], nextCursor: null } },
  })

afterEach(() => {
  vi.useRealTimers()
  localStorage.clear()
})

describe('the suggestion form', () => {
  it('offers existing apps if there is no text-to-image app', async () => {
    stubSuggestions(false)
    renderApp(<SuggestionForm />)
    expect((await screen.findByRole('link', { name: 'Silk' })).getAttribute('href')).toBe('/easy-app/app-1')
    expect(screen.getByRole('button', { name: 'Find an app' })).toBeTruthy()
  })

  it('offers sentences if there is a text-to-image app', async () => {
    stubSuggestions(true)
    renderApp(<SuggestionForm />)
    expect(await screen.findByRole('button', { name: 'A lighthouse in a storm' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Make it' })).toBeTruthy()
  })

  it('offers sentences within a minute after a worker got a model, without a reload', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    stubSuggestions(false)
    renderApp(<SuggestionForm />)
    expect(await screen.findByRole('button', { name: 'Find an app' })).toBeTruthy()
    stubSuggestions(true)
    await act(() => vi.advanceTimersByTimeAsync(30_000))
    expect(await screen.findByRole('button', { name: 'Make it' })).toBeTruthy()
    stubSuggestions(false)
    await act(() => vi.advanceTimersByTimeAsync(60_000))
    expect(await screen.findByRole('button', { name: 'Find an app' })).toBeTruthy()
  })

  it('says what to type when submitted empty', async () => {
    stubSuggestions(false)
    renderApp(<SuggestionForm />)
    await userEvent.click(screen.getByRole('button', { name: 'Find an app' }))
    expect((await screen.findByRole('alert')).textContent).toContain('Type a few words first')
  })
})
