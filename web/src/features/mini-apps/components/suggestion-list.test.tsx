import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Suggestions } from '@/shared/api/types'
import { showLanguage } from '@/shared/i18n'
import { workflow } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import SuggestionList from './suggestion-list'

const stubSuggestions = (change: Partial<Suggestions>) =>
  stubApi({
    'GET /api/public/mini-app/suggest': {
      body: { fitting: [], waiting: [], others: [], drawingPools: [], ...change },
    },
  })
const show = () => renderApp(<SuggestionList wish="a cat" onClose={() => undefined} />)
const silk = workflow({ name: 'Silk', workflowApi: 'app-1' })

beforeEach(async () => {
  await showLanguage('en')
})

describe('the suggestions', () => {
  it('show the reason, and fill the sentence into the app', async () => {
    stubSuggestions({ fitting: [{ app: silk, words: ['cat'], drawsWords: false }] })
    show()
    const link = await screen.findByRole('link', { name: /Silk.*Matches: cat/ })
    expect(link.getAttribute('href')).toBe('/easy-app/app-1?text=a+cat')
  })

  it.each([
    [{}, /no worker here has one/],
    [{ drawingPools: ['fast'] }, /workers of fast could draw it/],
    [{ waiting: [silk] }, /Silk can draw it, but no worker has what it needs at the moment\.$/],
    [
      { waiting: [silk], drawingPools: ['fast'] },
      /Silk can draw it, but .* The workers of fast could draw it with another app/,
    ],
  ])('say what is missing if nothing fits: %j', async (change, words) => {
    stubSuggestions(change)
    show()
    expect(await screen.findByText('No app can draw “a cat” yet')).toBeTruthy()
    expect(screen.getByText(words)).toBeTruthy()
  })
})
