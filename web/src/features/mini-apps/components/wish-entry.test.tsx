import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { workflow } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { WishEntry } from './wish-entry'

const silk = workflow({ name: 'Silk', workflowApi: 'app-1' })
const told = (drawsWords: boolean) =>
  stubApi({
    'GET /api/public/mini-app/suggest': {
      body: {
        fitting: drawsWords ? [{ app: silk, words: [], drawsWords }] : [],
        waiting: [],
        others: [],
        drawingPools: [],
      },
    },
    'GET /api/public/mini-app': { body: { items: [silk], nextCursor: null } },
  })

afterEach(() => localStorage.clear())

describe('the field of the first page', () => {
  it('offers apps that are there where nothing draws what is described', async () => {
    told(false)
    renderApp(<WishEntry />)
    expect((await screen.findByRole('link', { name: 'Silk' })).getAttribute('href')).toBe('/easy-app/app-1')
    expect(screen.getByRole('button', { name: 'Find an app' })).toBeTruthy()
  })

  it('offers sentences where an app draws what is described', async () => {
    told(true)
    renderApp(<WishEntry />)
    expect(await screen.findByRole('button', { name: 'A lighthouse in a storm' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Make it' })).toBeTruthy()
  })

  it('says what to type when it is sent empty', async () => {
    told(false)
    renderApp(<WishEntry />)
    await userEvent.click(screen.getByRole('button', { name: 'Find an app' }))
    expect((await screen.findByRole('alert')).textContent).toContain('Type a few words first')
  })
})
