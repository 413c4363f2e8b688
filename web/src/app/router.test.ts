import { matchRoutes, type RouteObject } from 'react-router'
import { expect, test } from 'vitest'
import { createQueryClient } from '@/shared/api/query-client'
import { SITE_PAGES } from '../../e2e/page-list'
import { routes } from './router'

/** One id of each kind, so that each page of the list has an address. */
const KNOWN = {
  app: 'a',
  post: 'p',
  basic: 'b',
  picture: 'i',
  author: 'u',
  me: 'm',
  draft: 'd',
  own: 'o',
  jobs: { Done: 'j', ExecuteError: 'e' },
}
/** Pages without content of their own: redirects and the 404 page. */
const WITHOUT_CONTENT = ['/intro', '/admin/workflows']

function leaves(tree: RouteObject[], above = ''): string[] {
  return tree.flatMap((route) => {
    const path = [above, route.path].filter((part) => part).join('/')
    return route.children ? leaves(route.children, path) : [`/${path}`]
  })
}

test('every route is in the page list of the end-to-end tests', () => {
  const tree = routes(createQueryClient())
  const listed = new Set(
    SITE_PAGES.flatMap((page) => {
      const address = page.path(KNOWN)
      const found = address ? matchRoutes(tree, new URL(address, 'http://site.example').pathname) : null
      return `/${found?.flatMap(({ route }) => route.path ?? []).join('/')}`
    }),
  )
  expect(leaves(tree).filter((route) => !listed.has(route) && !WITHOUT_CONTENT.includes(route))).toEqual([])
})

test('each page of the list has a unique name', () => {
  const names = SITE_PAGES.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})
