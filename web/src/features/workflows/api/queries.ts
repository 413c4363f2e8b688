import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, data, selected } from '@/shared/api/client'
import { cursorQuery } from '@/shared/api/cursor-query'
import { keys } from '@/shared/api/keys'
import type { Workflow, WorkflowGraph } from '@/shared/api/types'
import { parseExact } from '@/shared/lib/exact-json'
import type { NsfwFilter } from '@/shared/lib/nsfw'
import { spread } from '@/shared/lib/spread'
import type { AdminFilter, WorkflowSort } from '../model'

const PAGE = 30
const PROFILE_PAGE = 100
const FAVOURITES_PAGE = 20
/** Orders that show what is new. */
const FEEDS: WorkflowSort[] = ['publishedAt', 'newest']
const TAGS_STALE_MS = 600_000

export type Found = {
  sort?: WorkflowSort
  nsfw: NsfwFilter
  q?: string
  parentTag?: string
  childrenTag?: string
}

/** Published workflows: by order, by tag, or by words. */
export const workflowsQuery = (found: Found) => ({
  ...cursorQuery(
    [...keys.workflows.list, found],
    (next, signal) =>
      data(api.GET('/api/public/workflow', { params: { query: { ...found, limit: PAGE, ...next } }, signal })),
    // Orders by number mean what they say; the newest are a feed, which one busy author does not fill.
    (pages) => {
      const isFeed = !found.q && (found.sort === undefined || FEEDS.includes(found.sort))
      return isFeed ? spread(pages, (workflow) => workflow.user?._id) : pages.flat()
    },
  ),
  placeholderData: keepPreviousData,
})

export const basicWorkflowsQuery = () =>
  cursorQuery(keys.workflows.basic, (next, signal) =>
    data(api.GET('/api/public/workflow/basic', { params: { query: { limit: PAGE, ...next } }, signal })),
  )

/** What somebody published: the public tab of a profile. */
export const publishedByQuery = (userId: string) =>
  cursorQuery([...keys.workflows.publishedBy, userId], (next, signal) => {
    const params = { path: { userId }, query: { limit: PROFILE_PAGE, ...next } }
    return data(api.GET('/api/public/workflow/published/{userId}', { params, signal }))
  })

/** What somebody keeps to themselves: for the owner and for admins. */
export const unpublishedByQuery = (userId: string) =>
  cursorQuery([...keys.workflows.unpublishedBy, userId], (next, signal) => {
    const params = { path: { userId }, query: { limit: PROFILE_PAGE, ...next } }
    return data(api.GET('/api/general/workflow/unpublished/{userId}', { params, signal }))
  })

/** The workflows that somebody likes: for that person and for admins. */
export const favouriteWorkflowsQuery = (userId: string) =>
  cursorQuery([...keys.workflows.favourites, userId], (next, signal) => {
    const query = { user: userId, limit: FAVOURITES_PAGE, ...next }
    return data(api.GET('/api/general/workflow/like', { params: { query }, signal }))
  })

/** Of everybody's workflows those of a kind, with these words in their names, of one person. */
export const adminWorkflowsQuery = (filter: AdminFilter, sort: WorkflowSort, words = '', user = '') =>
  cursorQuery([...keys.workflows.admin, filter, sort, words, user], (next, signal) => {
    const chosen = { ...ADMIN_FILTERS[filter], ...(user && { user }) }
    const isFiltered = Object.keys(chosen).length > 0
    const query = {
      sort,
      limit: PAGE,
      ...(words && { q: words }),
      ...(isFiltered && { filter: JSON.stringify(chosen) }),
      ...next,
    }
    return data(api.GET('/api/general/workflow/admin', { params: { query }, signal }))
  })

const ADMIN_FILTERS: Record<AdminFilter, object | null> = {
  all: null,
  published: { isPrivate: false },
  unpublished: { isPrivate: true },
  nsfw: { isNsfw: true },
  sfw: { isNsfw: false },
}

/** Signed-in people ask the general endpoint, which also shows their own private ones; guests the public one. */
export const workflowQuery = (id: string, signedIn: boolean) =>
  queryOptions({
    queryKey: [...keys.workflows.detail, id, signedIn] as const,
    queryFn: ({ signal }): Promise<Workflow> => {
      const params = { path: { id } }
      return data(
        signedIn
          ? api.GET('/api/general/workflow/{id}', { params, signal })
          : api.GET('/api/public/workflow/{id}', { params, signal }),
      )
    },
  })

/** The graph, for its preview. */
export const workflowGraphQuery = (id: string, signedIn: boolean) =>
  queryOptions({
    queryKey: [...keys.workflows.graph, id, signedIn] as const,
    queryFn: async ({ signal }): Promise<WorkflowGraph> => {
      const params = { path: { id }, query: { select: 'prompt name' } }
      const answer = await selected<{ prompt: string; missingNodes: string[] }>(
        signedIn
          ? api.GET('/api/general/workflow/{id}', { params, signal })
          : api.GET('/api/public/workflow/{id}', { params, signal }),
      )
      const graph = parseExact(answer.prompt) as WorkflowGraph
      return { ...graph, missingNodes: answer.missingNodes }
    },
    staleTime: TAGS_STALE_MS,
  })

/** The node classes of all connected workers, as ComfyUI tells them. */
export const objectInfoQuery = () =>
  queryOptions({
    queryKey: keys.workflows.objectInfo,
    queryFn: ({ signal }): Promise<Record<string, unknown>> => data(api.GET('/api/general/object-info', { signal })),
    staleTime: TAGS_STALE_MS,
  })

/** The whole tree of tags. */
export const workflowTagsQuery = () =>
  queryOptions({
    queryKey: keys.tags.all,
    queryFn: ({ signal }) => data(api.GET('/api/public/workflow-tag', { signal })),
    select: (list) => list.items,
    staleTime: TAGS_STALE_MS,
  })
