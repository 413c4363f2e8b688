import { act, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { localBridge } from '@/shared/lib/frame-bridge'
import { quote } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { GraphPrice } from './graph-price'

const PRICE = 'about 42 credits · about 4.2s · at most 6,000 credits'

it('the price of the graph follows the graph', async () => {
  const bridge = localBridge(() => undefined)
  let answer: { status?: number; body: object } = { body: quote() }
  const requests = stubApi({ 'POST /api/general/editor/quote': () => answer })
  renderApp(<GraphPrice bridge={bridge} />)
  const send = (prompt: string) =>
    act(async () => bridge.emit({ type: 'graph', requestId: 'g', workflow: '{}', prompt, flow: null }))
  await send('{}')
  expect(requests).toHaveLength(0)
  await send('{"1":{"class_type":"EmptyImage","inputs":{"width":12345678901234567890}}}')
  expect(await screen.findByText(PRICE)).toBeTruthy()

  answer = { status: 422, body: { code: 'INVALID_PROMPT', message: 'no output' } }
  await send('{"1":{"class_type":"LoadImage","inputs":{}}}')
  await waitFor(() => expect(screen.queryByText(PRICE)).toBeNull())

  answer = { status: 422, body: { code: 'CREDIT_CEILING', message: 'x' } }
  await send('{"2":{"class_type":"SaveImage","inputs":{}}}')
  expect(await screen.findByText(/your own ceiling/)).toBeTruthy()

  answer = { body: quote() }
  await send('{"3":{"class_type":"SaveImage","inputs":{}}}')
  expect(await screen.findByText(PRICE)).toBeTruthy()
})
