import { matchRoutes, type RouteObject } from 'react-router'
import { expect, test } from 'vitest'
import { createQueryClient } from '@/shared/api/query-client'
import { SITE_PAGES } from '../../e2e/page-list'
import { routes } from './router'

/** One of everything, so that each page of the list has an address. */
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
/** Those that show nothing of their own: they lead on, or stand for what does not exist. */
const WITHOUT_A_FACE = ['/intro', '/admin/workflows']

function leaves(tree: RouteObject[], above = ''): string[] {
  return tree.flatMap((route) => {
    const path = [above, route.path].filter((part) => part).join('/')
    return route.children ? leaves(route.children, path) : [`/${path}`]
  })
}

test('every route stands in the list of pages that are looked at and measured', () => {
  const tree = routes(createQueryClient())
  const listed = new Set(
    SITE_PAGES.flatMap((page) => {
      const address = page.path(KNOWN)
      const found = address ? matchRoutes(tree, new URL(address, 'http://site.example').pathname) : null
      return `/${found?.flatMap(({ route }) => route.path ?? []).join('/')}`
    }),
  )
  expect(leaves(tree).filter((route) => !listed.has(route) && !WITHOUT_A_FACE.includes(route))).toEqual([])
})

test('each page of the list has a name of its own', () => {
  const names = SITE_PAGES.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})
