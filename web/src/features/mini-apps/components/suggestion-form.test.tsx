import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { suggestions, user, workflow } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { SuggestionForm } from './suggestion-form'

const silk = workflow({ name: 'Silk', workflowApi: 'app-1', makes: ['image'] })
const stubSuggestions = (drawsWords: boolean, app = silk, change: Parameters<typeof stubApi>[0] = {}) =>
  stubApi({
    'GET /api/auth': { status: 401, body: { code: 'AUTH_LOGIN_REQUIRED', message: 'no' } },
    'GET /api/public/generator': { body: { items: [] } },
    'GET /api/public/mini-app/suggest': {
      body: suggestions({ fitting: drawsWords ? [{ app, words: [], drawsWords }] : [] }),
    },
    'GET /api/public/mini-app': { body: { items: [app], nextCursor: null } },
    ...change,
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

  it('promises no pictures where only sounds are made from words', async () => {
    stubSuggestions(true, workflow({ name: 'Song', workflowApi: 'app-2', makes: ['audio'] }))
    renderApp(<SuggestionForm />)
    expect(await screen.findByRole('link', { name: 'Song' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Find an app' })).toBeTruthy()
  })

  it('offers no app that no worker can run as an idea', async () => {
    stubSuggestions(false, workflow({ name: 'Song', workflowApi: 'app-2', workflowApiWorks: false }))
    renderApp(<SuggestionForm />)
    expect(await screen.findByText(/^To draw what you describe/)).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Song' })).toBeNull()
  })

  it('says what works without a model, and what an operator connects to have more', async () => {
    const tasks = ['RemoveBackground', 'DescribeImage', 'RemoveBackground']
    stubSuggestions(false, silk, {
      'GET /api/auth': { body: user({ roles: ['Admin'] }) },
      'GET /api/public/generator': { body: { items: tasks.map((task) => ({ task, app: silk })) } },
    })
    renderApp(<SuggestionForm />)
    expect(
      await screen.findByText('Works here now: Makes the background transparent · Writes a prompt for your picture'),
    ).toBeTruthy()
    expect(screen.getByText(/an operator connects a ComfyUI server with a model for pictures/)).toBeTruthy()
    const connect = await screen.findByRole('link', { name: 'Connect a worker' })
    expect(connect.getAttribute('href')).toBe('/admin')
  })

  it('says nothing of operators where words are drawn', async () => {
    stubSuggestions(true)
    renderApp(<SuggestionForm />)
    expect(await screen.findByRole('button', { name: 'Make it' })).toBeTruthy()
    expect(screen.queryByText(/an operator connects/)).toBeNull()
  })

  it('searches only what its page makes', async () => {
    const requests = stubSuggestions(false)
    renderApp(<SuggestionForm among={{ makes: 'video' }} />)
    expect(await screen.findByText(/^To make videos of what you describe/)).toBeTruthy()
    await userEvent.type(screen.getByRole('textbox'), 'waves')
    await userEvent.click(screen.getByRole('button', { name: 'Find an app' }))
    await waitFor(() => {
      const asked = requests.filter(({ path }) => path.endsWith('/suggest'))
      const queries = asked.map(({ search }) => new URLSearchParams(search))
      expect(queries.some((query) => query.get('text') === 'waves')).toBe(true)
      expect(queries.every((query) => query.get('makes') === 'video')).toBe(true)
    })
  })

  it('says what to type when submitted empty', async () => {
    stubSuggestions(false)
    renderApp(<SuggestionForm />)
    await userEvent.click(screen.getByRole('button', { name: 'Find an app' }))
    expect((await screen.findByRole('alert')).textContent).toContain('Type a few words first')
  })
})
