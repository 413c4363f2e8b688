import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import type { Quote } from '@/shared/api/types'
import { quote } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import RunPrice from './run-price'

it.each<[string, Partial<Quote>, number, string]>([
  ['by earlier runs', {}, 1, 'about 42 credits · about 4.2s · at most 6,000 credits'],
  ['of several runs', {}, 3, 'about 126 credits · about 4.2s each · at most 18,000 credits'],
  [
    'of runs that differ',
    { expected: { runMs: 4200, upperRunMs: 9000, credits: 42, upperCredits: 90 } },
    1,
    '42 to 90 credits · 4.2s to 9.0s · at most 6,000 credits',
  ],
  ['before the first run', { expected: null }, 1, '10 credits a second · at most 6,000 credits'],
  ['of a free pool', { creditsPerSecond: 0, mostCredits: 0 }, 1, 'free · about 4.2s'],
  [
    'behind other jobs',
    { etaSeconds: { low: 50, high: 70 } },
    1,
    'about 42 credits · about 4.2s · at most 6,000 credits · starts in about 1m 0s',
  ],
  ['without a worker', { workers: 0, etaSeconds: null }, 1, 'about 42 credits · about 4.2s · at most 6,000 credits'],
])('the price %s', async (_, change, count, text) => {
  stubApi({ 'GET /api/general/workflow-api/a/quote': { body: quote(change) } })
  renderApp(<RunPrice app="a" signedIn count={count} />)
  expect(await screen.findByText(text)).toBeTruthy()
})

/** A page with a run that ends and another one that starts. */
function TwoRuns() {
  const [ended, setEnded] = useState<string | null>(null)
  return (
    <>
      <RunPrice app="a" signedIn ended={ended} />
      <button type="button" aria-label="end" onClick={() => setEnded('first')} />
      <button type="button" aria-label="start" onClick={() => setEnded(null)} />
    </>
  )
}

it('the price by a run that ended stays while the next one is active', async () => {
  let answer = { body: quote({ expected: null }) }
  stubApi({ 'GET /api/general/workflow-api/a/quote': () => answer })
  renderApp(<TwoRuns />)
  expect(await screen.findByText(/10 credits a second/)).toBeTruthy()
  answer = { body: quote() }
  await userEvent.click(screen.getByLabelText('end'))
  expect(await screen.findByText(/^about 42 credits · about 4.2s/)).toBeTruthy()
  await userEvent.click(screen.getByLabelText('start'))
  expect(screen.getByText(/^about 42 credits · about 4.2s/)).toBeTruthy()
})

it('guests see what a new account pays', async () => {
  stubApi({ 'GET /api/public/workflow-api/a/quote': { body: quote() } })
  renderApp(<RunPrice app="a" signedIn={false} />)
  expect(await screen.findByText(/42 credits/)).toBeTruthy()
})
