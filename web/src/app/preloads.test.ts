import { matchRoutes } from 'react-router'
import { expect, test, vi } from 'vitest'
import { createQueryClient } from '@/shared/api/query-client'
import { local } from '@/shared/lib/storage'
import { PRELOADS } from './preloads'
import { routes } from './router'

/** The calls that the routes of a page start when the page is opened. */
async function callsOf(path: string): Promise<string[]> {
  const asked: string[] = []
  vi.stubGlobal('fetch', (request: Request) => {
    const { pathname, search } = new URL(request.url)
    asked.push(pathname + search)
    return Promise.resolve(Response.json({ items: [], nextCursor: null }))
  })
  const url = `http://site.example${path}`
  for (const { route, params } of matchRoutes(routes(createQueryClient()), path) ?? []) {
    if (typeof route.loader !== 'function') continue
    await route.loader({
      request: new Request(url),
      params,
      context: {},
      unstable_pattern: '',
      url: new URL(url),
    } as never)
  }
  return asked
}

test.each(PRELOADS)('preloaded calls of $path match the calls of its page', async ({ path, guest, user }) => {
  const at = (text: string) => text.replace(':id', 'some-id')
  expect(await callsOf(at(path))).toEqual(expect.arrayContaining(guest.map(at)))
  local.set('vg.signedIn', 'yes')
  expect(await callsOf(at(path))).toEqual(expect.arrayContaining(user.map(at)))
})

const appsAskedBy = async (path: string) => (await callsOf(path)).filter((url) => url.includes('mini-app'))

test.each([
  ['/apps', '?limit=24&sort=newest'],
  ['/apps?works=true&sort=like', '?limit=24&sort=like&works=true'],
])('the page of all apps at %s preloads the list that it shows', async (path, search) => {
  expect(await appsAskedBy(path)).toEqual([`/api/public/mini-app${search}`])
})

test('the page of shared apps does not preload the list of all apps', async () => {
  expect(await appsAskedBy('/apps?tab=shared')).toEqual([])
})

test('the preload pattern of a post does not match its edit page', () => {
  expect(PRELOADS.every(({ path }) => matchRoutes(routes(createQueryClient()), path.replace(':id', 'some-id')))).toBe(
    true,
  )
})
