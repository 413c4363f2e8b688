import type { QueryClient } from '@tanstack/react-query'
import type { CursorPage, Workflow } from '@/shared/api/types'

type Pages = { pages: CursorPage<Workflow>[]; pageParams: unknown[] }

const isPages = (value: unknown): value is Pages => typeof value === 'object' && value !== null && 'pages' in value

/** Lists of mini apps hold the same workflows. */
const ROOTS = ['workflows', 'mini-apps']

type Change = (workflow: Workflow) => Workflow | null

/**
 * Changes a workflow wherever it is shown, without loading an open list again: lists would jump. A change to `null`
 * takes it out of the lists.
 */
export function patchWorkflow(client: QueryClient, id: string, change: Change): void {
  const queries = client.getQueryCache().findAll({ predicate: (query) => ROOTS.includes(String(query.queryKey[0])) })
  for (const query of queries) {
    client.setQueryData<unknown>(query.queryKey, (old: unknown) => patched(old, id, change))
  }
}

function patched(old: unknown, id: string, change: Change): unknown {
  if (isPages(old)) {
    if (!old.pages.some((page) => page.items.some((item) => item._id === id))) return old
    const items = (page: CursorPage<Workflow>) =>
      page.items.flatMap((item) => (item._id === id ? (change(item) ?? []) : item))
    return { ...old, pages: old.pages.map((page) => ({ ...page, items: items(page) })) }
  }
  const one = old as Workflow | undefined
  return one?._id === id && 'likeCount' in one ? (change(one) ?? old) : old
}

/** What the caches hold of a workflow now, to go back to when the server refuses. */
export function cachedWorkflow(client: QueryClient, id: string): Workflow | undefined {
  for (const [, held] of client.getQueriesData<unknown>({ predicate: (q) => ROOTS.includes(String(q.queryKey[0])) })) {
    if (isPages(held)) {
      const found = held.pages.flatMap((page) => page.items).find((item) => item._id === id)
      if (found) return found
    } else if ((held as Workflow | undefined)?._id === id && 'likeCount' in (held as Workflow)) {
      return held as Workflow
    }
  }
  return undefined
}
