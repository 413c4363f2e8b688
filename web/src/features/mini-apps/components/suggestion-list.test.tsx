import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Suggestions } from '@/shared/api/types'
import { showLanguage } from '@/shared/i18n'
import { suggestions, workflow } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import SuggestionList from './suggestion-list'

const stubSuggestions = (change: Partial<Suggestions>) =>
  stubApi({
    'GET /api/public/mini-app/suggest': {
      body: suggestions(change),
    },
  })
const show = () => renderApp(<SuggestionList wish="a cat" onClose={() => undefined} />)
const silk = workflow({ name: 'Silk', workflowApi: 'app-1' })

beforeEach(async () => {
  await showLanguage('en')
})

describe('the suggestions', () => {
  it.each([
    ['TextToImage', 'Apps that can draw “a cat”', 'Draws what you describe', '/easy-app/app-1?text=a+cat'],
    ['Upscale', 'Apps that enlarge a picture', 'Makes your picture larger', '/easy-app/app-1'],
  ])('show the generators for the task %s first', async (task, title, why, href) => {
    stubSuggestions({ task, generators: [silk] })
    show()
    expect(await screen.findByText(title)).toBeTruthy()
    expect(screen.getByRole('link', { name: new RegExp(`Silk.*${why}`) }).getAttribute('href')).toBe(href)
  })

  it.each([
    [{ task: 'TextToVideo', generatorsAway: [silk] }, 'No app can make a video of “a cat” yet', /^Silk can do it, but/],
    [{ task: 'SwapFace', waiting: [silk] }, 'No app swaps faces yet', /ReActor nodes/],
  ])('say what the task needs: %j', async (change, title, words) => {
    stubSuggestions(change)
    show()
    expect(await screen.findByText(title)).toBeTruthy()
    expect(screen.getByText(words)).toBeTruthy()
  })

  it('count an app only for what it makes', async () => {
    const film = workflow({ name: 'Film', workflowApi: 'app-2', makes: ['video'] })
    const fitting = [{ app: film, words: [], drawsWords: true }]
    stubSuggestions({ task: 'TextToVideo', fitting })
    const { unmount } = show()
    expect(await screen.findByText('Apps that make a video of “a cat”')).toBeTruthy()
    expect(screen.getByRole('link', { name: /Film.*Makes a video of what you describe/ })).toBeTruthy()
    unmount()
    stubSuggestions({ task: 'TextToImage', fitting })
    show()
    expect(await screen.findByText('Apps that match some words of “a cat”')).toBeTruthy()
    expect(screen.queryByText('Draws what you describe')).toBeNull()
  })

  it('show the reason, and fill the sentence into the app', async () => {
    stubSuggestions({ fitting: [{ app: silk, words: ['cat'], drawsWords: false }] })
    show()
    const link = await screen.findByRole('link', { name: /Silk.*Matches: cat/ })
    expect(link.getAttribute('href')).toBe('/easy-app/app-1?text=a+cat')
  })

  it.each([
    [{}, /no worker here has one/],
    [{ drawingPools: ['fast'] }, /workers of fast could draw it/],
    [{ waiting: [silk] }, /Silk can do it, but no worker has what it needs at the moment\.$/],
    [
      { waiting: [silk], drawingPools: ['fast'] },
      /Silk can do it, but .* The workers of fast could draw it with another app/,
    ],
  ])('say what is missing if nothing fits: %j', async (change, words) => {
    stubSuggestions(change)
    show()
    expect(await screen.findByText('No app can draw “a cat” yet')).toBeTruthy()
    expect(screen.getByText(words)).toBeTruthy()
  })
})
