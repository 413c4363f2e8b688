import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { DOUBLE_CLICK_MS } from '@/shared/lib/double-click-guard'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { createQueryClient } from './query-client'
import type { User } from './types'
import { useToggle } from './use-toggle'

type Sent = { on: boolean; answer: (ok: boolean) => void }

/** Two like buttons of one item. Both read its state from the query cache, as a card and a page do. */
function setup(asUser: (act: (user: User) => void) => void = (act) => act(user())) {
  const client = createQueryClient()
  const sent: Sent[] = []
  const shown = () => client.getQueryData<boolean>(['shown']) ?? false
  const settled = vi.fn()
  function Heart({ name }: { name: string }) {
    const press = useToggle<boolean>({
      of: 'thing',
      asUser,
      show: ({ on }) => {
        const before = shown()
        client.setQueryData(['shown'], on)
        return () => void client.setQueryData(['shown'], before)
      },
      send: ({ on }) =>
        new Promise((resolve, reject) => {
          sent.push({ on, answer: (ok) => (ok ? resolve(on) : reject(new Error('refused'))) })
        }),
      settle: settled,
      meta: { failed: () => 'It was not liked' },
    })
    return (
      <button type="button" onClick={() => press({ id: 'a', on: !shown() })}>
        {name}
      </button>
    )
  }
  const view = renderApp(
    <>
      <Heart name="card" />
      <Heart name="page" />
    </>,
    { client },
  )
  const press = (name = 'card') => act(async () => screen.getByText(name).click())
  const answer = (at: number, ok: boolean) => act(async () => sent[at]?.answer(ok))
  return { press, answer, sent, shown, settled, view }
}

const wait = () => vi.setSystemTime(Date.now() + DOUBLE_CLICK_MS + 1)

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

it('a double click shows the new state at once and sends one request', async () => {
  const { press, sent, shown, answer, settled } = setup()
  await press()
  await press()
  expect(shown()).toBe(true)
  expect(sent.map(({ on }) => on)).toEqual([true])
  await answer(0, true)
  expect(settled).toHaveBeenCalledOnce()
})

it('only the last of several presses is sent after the pending request', async () => {
  const { press, sent, shown, answer } = setup()
  await press()
  for (const name of ['page', 'card', 'page']) {
    wait()
    await press(name)
  }
  expect(shown()).toBe(false)
  expect(sent).toHaveLength(1)
  await answer(0, true)
  expect(sent.map(({ on }) => on)).toEqual([true, false])
  await answer(1, true)
  expect(sent).toHaveLength(2)
  expect(shown()).toBe(false)
})

it('nothing more is sent if the last press matches the pending request', async () => {
  const { press, sent, answer, shown } = setup()
  await press()
  wait()
  await press()
  wait()
  await press()
  await answer(0, true)
  expect(sent).toHaveLength(1)
  expect(shown()).toBe(true)
})

it("a later refusal restores the server's state, also after unmount", async () => {
  const { press, answer, shown, sent, view } = setup()
  await press()
  wait()
  await press()
  await answer(0, true)
  view.rerender(<p>{'elsewhere'}</p>)
  await answer(1, false)
  expect(sent).toHaveLength(2)
  expect(shown()).toBe(true)
})

it('a refusal undoes the change and can be repeated at once', async () => {
  const { press, answer, shown, sent } = setup()
  await press()
  await answer(0, false)
  expect(shown()).toBe(false)
  expect(await screen.findByText('It was not liked')).toBeTruthy()
  await press()
  expect(sent).toHaveLength(2)
})

it('a guest is asked to sign in and nothing is sent', async () => {
  const prompt = vi.fn()
  const { press, sent, shown } = setup(prompt)
  await press()
  expect(prompt).toHaveBeenCalledOnce()
  expect([shown(), sent.length]).toEqual([false, 0])
})
