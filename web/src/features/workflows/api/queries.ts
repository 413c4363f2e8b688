import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, data, selected } from '@/shared/api/client'
import { cursorQuery } from '@/shared/api/cursor-query'
import { keys } from '@/shared/api/keys'
import type { Workflow, WorkflowGraph } from '@/shared/api/types'
import { parseExact } from '@/shared/lib/exact-json'
import type { NsfwFilter } from '@/shared/lib/nsfw'
import { spreadAuthors } from '@/shared/lib/spread-authors'
import type { AdminFilter, WorkflowSort } from '../model'

const PAGE = 30
const PROFILE_PAGE = 100
const FAVOURITES_PAGE = 20
/** Orders by date. */
const FEEDS: WorkflowSort[] = ['publishedAt', 'newest']
const TAGS_STALE_MS = 600_000

export type Found = {
  sort?: WorkflowSort
  nsfw: NsfwFilter
  q?: string
  parentTag?: string
  childrenTag?: string
}

/** Published workflows, by order, tag or keyword. */
export const workflowsQuery = (found: Found) => ({
  ...cursorQuery(
    [...keys.workflows.list, found],
    (next, signal) =>
      data(api.GET('/api/public/workflow', { params: { query: { ...found, limit: PAGE, ...next } }, signal })),
    // By date the list is a feed, in which one busy author must not fill all places.
    (pages) => {
      const isFeed = !found.q && (found.sort === undefined || FEEDS.includes(found.sort))
      return isFeed ? spreadAuthors(pages, (workflow) => workflow.user?._id) : pages.flat()
    },
  ),
  placeholderData: keepPreviousData,
})

export const basicWorkflowsQuery = () =>
  cursorQuery(keys.workflows.basic, (next, signal) =>
    data(api.GET('/api/public/workflow/basic', { params: { query: { limit: PAGE, ...next } }, signal })),
  )

export const publishedByQuery = (userId: string) =>
  cursorQuery([...keys.workflows.publishedBy, userId], (next, signal) => {
    const params = { path: { userId }, query: { limit: PROFILE_PAGE, ...next } }
    return data(api.GET('/api/public/workflow/published/{userId}', { params, signal }))
  })

/** The unpublished workflows of a person, for the owner and admins. */
export const unpublishedByQuery = (userId: string) =>
  cursorQuery([...keys.workflows.unpublishedBy, userId], (next, signal) => {
    const params = { path: { userId }, query: { limit: PROFILE_PAGE, ...next } }
    return data(api.GET('/api/general/workflow/unpublished/{userId}', { params, signal }))
  })

/** The workflows that a person likes, for that person and admins. */
export const favouriteWorkflowsQuery = (userId: string) =>
  cursorQuery([...keys.workflows.favourites, userId], (next, signal) => {
    const query = { user: userId, limit: FAVOURITES_PAGE, ...next }
    return data(api.GET('/api/general/workflow/like', { params: { query }, signal }))
  })

/** Workflows of all people, by kind, keyword and author. */
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

/** Signed-in users need the general endpoint, which also returns their own private workflows. */
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

/** The node classes of all connected workers, in ComfyUI's format. */
export const objectInfoQuery = () =>
  queryOptions({
    queryKey: keys.workflows.objectInfo,
    queryFn: ({ signal }): Promise<Record<string, unknown>> => data(api.GET('/api/general/object-info', { signal })),
    staleTime: TAGS_STALE_MS,
  })

export const workflowTagsQuery = () =>
  queryOptions({
    queryKey: keys.tags.all,
    queryFn: ({ signal }) => data(api.GET('/api/public/workflow-tag', { signal })),
    select: (list) => list.items,
    staleTime: TAGS_STALE_MS,
  })
