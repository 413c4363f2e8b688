import { matchRoutes } from 'react-router'
import { expect, test, vi } from 'vitest'
import { createQueryClient } from '@/shared/api/query-client'
import { local } from '@/shared/lib/storage'
import { AHEAD } from './ahead'
import { routes } from './router'

/** The addresses that the routes of a page ask for as soon as it is opened. */
async function askedBy(path: string): Promise<string[]> {
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

test.each(AHEAD)('what is fetched ahead of $path is what its page asks for', async ({ path, guest, user }) => {
  const at = (text: string) => text.replace(':id', 'some-id')
  expect(await askedBy(at(path))).toEqual(expect.arrayContaining(guest.map(at)))
  local.set('vg.signedIn', 'yes')
  expect(await askedBy(at(path))).toEqual(expect.arrayContaining(user.map(at)))
})

const appsAskedBy = async (path: string) => (await askedBy(path)).filter((url) => url.includes('mini-app'))

test.each([
  ['/apps', '?limit=24&sort=newest'],
  ['/apps?works=true&sort=like', '?limit=24&sort=like&works=true'],
])('the page of all apps at %s is opened with the list that it shows', async (path, search) => {
  expect(await appsAskedBy(path)).toEqual([`/api/public/mini-app${search}`])
})

test('what is shared with somebody is opened without the list of all apps', async () => {
  expect(await appsAskedBy('/apps?tab=shared')).toEqual([])
})

test('the open pattern of a post is not the address of its edit page', () => {
  expect(AHEAD.every(({ path }) => matchRoutes(routes(createQueryClient()), path.replace(':id', 'some-id')))).toBe(true)
})
