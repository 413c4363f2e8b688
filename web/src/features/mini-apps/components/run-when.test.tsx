import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createRef, type RefObject } from 'react'
import { expect, it } from 'vitest'
import type { Quote } from '@/shared/api/types'
import { quote } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import type { RunTerms } from '../api'
import RunPrice from './run-price'

const priced = (change: Partial<Quote> = {}): RefObject<(() => RunTerms) | null> => {
  stubApi({ 'GET /api/general/workflow-api/a/quote': { body: quote(change) } })
  const when = createRef<() => RunTerms>()
  renderApp(<RunPrice app="a" signedIn when={when} />)
  return when
}

const open = async () => userEvent.click(await screen.findByRole('button', { name: /^When to run: / }))

it('a run is sent at the standard price unless the user chooses later', async () => {
  const when = priced()
  await open()
  expect(screen.getByRole('radio', { name: 'Now, 42 credits', checked: true })).toBeTruthy()
  expect(when.current?.()).toEqual({})
  expect(screen.queryByLabelText('Ready by (optional)')).toBeNull()
  expect(screen.getByText(/at most 6,000 credits/)).toBeTruthy()
  await userEvent.click(screen.getByRole('radio', { name: 'Later, 26 credits' }))
  expect(when.current?.()).toEqual({ priceClass: 'flex' })
  expect(screen.getByText('about 26 credits · about 4.2s · at most 3,600 credits')).toBeTruthy()
  await userEvent.type(screen.getByLabelText('Ready by (optional)'), '07:00')
  const { priceClass, deadline } = when.current?.() ?? {}
  expect(priceClass).toBe('flex')
  expect(new Date(deadline ?? '').getHours()).toBe(7)
  expect(new Date(deadline ?? '').getTime()).toBeGreaterThan(Date.now())
  await userEvent.click(screen.getByRole('radio', { name: /^Now/ }))
  expect(when.current?.()).toEqual({})
})

it('closed, it is one line that tells the choice, which stays', async () => {
  const when = priced()
  const line = await screen.findByRole('button', { name: 'When to run: Now, 42 credits', expanded: false })
  expect(screen.queryByRole('radio')).toBeNull()
  line.focus()
  await userEvent.keyboard('{Enter}')
  await userEvent.click(screen.getByRole('radio', { name: /^Later/ }))
  await userEvent.type(screen.getByLabelText('Ready by (optional)'), '07:00')
  line.focus()
  await userEvent.keyboard(' ')
  expect(screen.getByRole('button', { name: 'When to run: Later, 26 credits · 07:00', expanded: false })).toBeTruthy()
  expect(screen.queryByLabelText('Ready by (optional)')).toBeNull()
  expect(when.current?.()).toMatchObject({ priceClass: 'flex' })
  expect(when.current?.().deadline).toBeTruthy()
})

it('before the first run the choice tells how much cheaper later is', async () => {
  const { flex } = quote()
  priced({ expected: null, flex: { ...flex, expected: null } })
  await open()
  expect(screen.getByRole('radio', { name: 'Later, 40% cheaper' })).toBeTruthy()
})

it.each([
  ['where later is not cheaper', { flex: { ...quote().flex, percent: 100 } }],
  ['in a free pool', { creditsPerSecond: 0 }],
])('there is no choice %s', async (_, change) => {
  priced(change)
  expect(await screen.findByText(/about 4.2s/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^When to run/ })).toBeNull()
})
