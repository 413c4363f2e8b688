import { expect, test, vi } from 'vitest'
import { checkConnection } from '@/shared/api/connection'
import { ChunkError, chunk } from './chunk'

const answers = () => vi.stubGlobal('fetch', () => Promise.resolve(new Response()))
const isOffline = () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  return () => vi.restoreAllMocks()
}

test('module is loaded once', async () => {
  const load = vi.fn(() => Promise.resolve({ default: 'page' }))
  const page = chunk(load, (module) => module.default)
  expect(await Promise.all([page(), page()])).toEqual(['page', 'page'])
  expect(await page()).toBe('page')
  expect(load).toHaveBeenCalledOnce()
})

test('failed module is loaded again by the next call and by the error', async () => {
  answers()
  const load = vi.fn(() => Promise.resolve('page'))
  load.mockRejectedValueOnce(new Error('first')).mockRejectedValueOnce(new Error('second'))
  const page = chunk(load)
  await expect(page()).rejects.toBeInstanceOf(ChunkError)
  const error: ChunkError = await page().catch((error) => error)
  expect(error.cause).toEqual(new Error('second'))
  expect(await error.again()).toBe('page')
  expect(await page()).toBe('page')
})

test('nothing is requested without a connection', async () => {
  answers()
  const load = vi.fn(() => Promise.resolve('page'))
  const page = chunk(load)
  const online = isOffline()
  await expect(page()).rejects.toBeInstanceOf(ChunkError)
  expect(load).not.toHaveBeenCalled()
  online()
  await checkConnection()
  expect(await page()).toBe('page')
})

/** Imitates Vite: it waits for a failed stylesheet once and treats it as loaded the next time. */
function withStylesheet(name: string) {
  let requested = false
  return chunk(async () => {
    if (requested) return 'page'
    requested = true
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: `/assets/${name}.css` })
    document.head.append(link)
    link.dispatchEvent(new Event('error'))
    throw new Error(`Unable to preload CSS for ${link.href}`)
  })
}
const linkOf = (name: string) => document.head.querySelector<HTMLLinkElement>(`link[href$="${name}.css"]`)

test('failed stylesheet is requested again, and its page waits for it', async () => {
  answers()
  const page = withStylesheet('page')
  await expect(page()).rejects.toBeInstanceOf(ChunkError)
  const first = linkOf('page')

  const second = page()
  await vi.waitFor(() => expect(linkOf('page')).not.toBe(first))
  linkOf('page')?.dispatchEvent(new Event('error'))
  await expect(second, 'a page is not shown without its styles').rejects.toBeInstanceOf(ChunkError)

  const failed = linkOf('page')
  const third = page()
  await vi.waitFor(() => expect(linkOf('page')).not.toBe(failed))
  linkOf('page')?.dispatchEvent(new Event('load'))
  expect(await third).toBe('page')
})

test('permanently failed stylesheet of another page blocks no page', async () => {
  answers()
  await expect(withStylesheet('other')()).rejects.toBeInstanceOf(ChunkError)
  const first = linkOf('other')
  const page = chunk(() => Promise.resolve('page'))()
  await vi.waitFor(() => expect(linkOf('other')).not.toBe(first))
  linkOf('other')?.dispatchEvent(new Event('error'))
  expect(await page).toBe('page')

  // The stylesheet loads in the end, so that no later test waits for it.
  const failed = linkOf('other')
  const last = chunk(() => Promise.resolve('page'))()
  await vi.waitFor(() => expect(linkOf('other')).not.toBe(failed))
  linkOf('other')?.dispatchEvent(new Event('load'))
  expect(await last).toBe('page')
  linkOf('other')?.remove()
})
