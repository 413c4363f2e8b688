import { afterEach, expect, test, vi } from 'vitest'
import { keys } from '@/shared/api/keys'
import { createQueryClient } from '@/shared/api/query-client'
import { local } from '@/shared/lib/storage'
import { whenPageReady } from './page-ready'

afterEach(() => vi.useRealTimers())

function opened(html: string) {
  const page = document.createElement('div')
  page.innerHTML = html
  let tell = () => {}
  const router = {
    state: { initialized: false },
    subscribe: (heard: () => void) => {
      tell = heard
      return () => {}
    },
  }
  const client = createQueryClient()
  const done = vi.fn()
  const begin = () => void whenPageReady(router as never, client, page).then(done)
  return { router, client, done, begin, codeCame: () => [Object.assign(router.state, { initialized: true }), tell()] }
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 20))

test('prerendered text stays until code and data of the page are loaded', async () => {
  const { client, done, begin, codeCame } = opened('<div class="opening"></div>')
  let answer: (app: string) => void = () => {}
  const asked = client.fetchQuery({ queryKey: ['app'], queryFn: () => new Promise<string>((come) => (answer = come)) })
  begin()
  codeCame()
  await settled()
  expect(done, 'the words give way to a skeleton').not.toHaveBeenCalled()
  answer('app')
  await asked
  await vi.waitFor(() => expect(done).toHaveBeenCalled())
})

test('waits for the session only if a user was signed in before', async () => {
  for (const signedIn of [false, true]) {
    if (signedIn) local.set('vg.signedIn', 'yes')
    const { client, done, begin, codeCame } = opened('<div class="opening"></div>')
    void client.fetchQuery({ queryKey: keys.auth.user, queryFn: () => new Promise(() => undefined) })
    begin()
    codeCame()
    if (signedIn) await settled()
    await vi.waitFor(() => expect(done).toHaveBeenCalledTimes(signedIn ? 0 : 1))
  }
  local.remove('vg.signedIn')
})

test('a page without prerendered text does not wait', async () => {
  const { done, begin } = opened('<p>other</p>')
  begin()
  await vi.waitFor(() => expect(done).toHaveBeenCalled())
})

test('an answer that never comes does not block the program', async () => {
  vi.useFakeTimers()
  const { done, begin } = opened('<div class="opening"></div>')
  begin()
  await vi.advanceTimersByTimeAsync(8000)
  expect(done).toHaveBeenCalled()
})
