import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import type { CursorPage, Workflow, WorkflowGraph, WorkflowTag } from '@/shared/api/types'
import type { NsfwFilter } from '@/shared/lib/nsfw'
import { spread } from '@/shared/lib/spread'
import type { AdminFilter, WorkflowSort } from '../model'

const PAGE = 30
const PROFILE_PAGE = 100
const FAVOURITES_PAGE = 20
/** Orders that show what is new. */
const FEEDS: WorkflowSort[] = ['publishedAt', 'newest']
const TAGS_STALE_MS = 600_000

const pageOptions = {
  initialPageParam: null as string | null,
  getNextPageParam: (page: CursorPage<Workflow>) => page.nextCursor ?? undefined,
  select: (found: { pages: CursorPage<Workflow>[] }) => found.pages.flatMap((page) => page.items),
}

export type Found = {
  sort?: WorkflowSort
  nsfw: NsfwFilter
  q?: string
  parentTag?: string
  childrenTag?: string
}

/** Published workflows: by order, by tag, or by words. */
export const workflowsQuery = (found: Found) =>
  infiniteQueryOptions({
    queryKey: ['workflows', 'list', found] as const,
    queryFn: ({ pageParam, signal }) =>
      data<CursorPage<Workflow>>(
        api.GET('/api/public/workflow', {
          params: { query: { ...found, limit: PAGE, ...(pageParam && { cursor: pageParam }) } },
          signal,
        }),
      ),
    ...pageOptions,
    // Orders by number mean what they say; the newest are a feed, which one busy author does not fill.
    select: ({ pages }) => {
      const items = pages.map((page) => page.items)
      const isFeed = !found.q && (found.sort === undefined || FEEDS.includes(found.sort))
      return isFeed ? spread(items, (workflow) => workflow.user?._id) : items.flat()
    },
    placeholderData: keepPreviousData,
  })

export const basicWorkflowsQuery = () =>
  infiniteQueryOptions({
    queryKey: ['workflows', 'basic'] as const,
    queryFn: ({ pageParam, signal }) =>
      data<CursorPage<Workflow>>(
        api.GET('/api/public/workflow/basic', {
          params: { query: { limit: PAGE, ...(pageParam && { cursor: pageParam }) } },
          signal,
        }),
      ),
    ...pageOptions,
  })

/** What somebody published: the public tab of a profile. */
export const publishedByQuery = (userId: string) =>
  infiniteQueryOptions({
    queryKey: ['workflows', 'published-by', userId] as const,
    queryFn: ({ pageParam, signal }) =>
      data<CursorPage<Workflow>>(
        api.GET('/api/public/workflow/published/{userId}', {
          params: { path: { userId }, query: { limit: PROFILE_PAGE, ...(pageParam && { cursor: pageParam }) } },
          signal,
        }),
      ),
    ...pageOptions,
  })

/** What somebody keeps to themselves: for the owner and for admins. */
export const unpublishedByQuery = (userId: string) =>
  infiniteQueryOptions({
    queryKey: ['workflows', 'unpublished-by', userId] as const,
    queryFn: ({ pageParam, signal }) =>
      data<CursorPage<Workflow>>(
        api.GET('/api/general/workflow/unpublished/{userId}', {
          params: { path: { userId }, query: { limit: PROFILE_PAGE, ...(pageParam && { cursor: pageParam }) } },
          signal,
        }),
      ),
    ...pageOptions,
  })

/** The workflows that somebody likes: for that person and for admins. */
export const favouriteWorkflowsQuery = (userId: string) =>
  infiniteQueryOptions({
    queryKey: ['workflows', 'favourites', userId] as const,
    queryFn: ({ pageParam, signal }) =>
      data<CursorPage<Workflow>>(
        api.GET('/api/general/workflow/like', {
          params: { query: { user: userId, limit: FAVOURITES_PAGE, ...(pageParam && { cursor: pageParam }) } },
          signal,
        }),
      ),
    ...pageOptions,
  })

export const adminWorkflowsQuery = (filter: AdminFilter, sort: WorkflowSort) =>
  infiniteQueryOptions({
    queryKey: ['workflows', 'admin', filter, sort] as const,
    queryFn: ({ pageParam, signal }) => {
      const chosen = ADMIN_FILTERS[filter]
      return data<CursorPage<Workflow>>(
        api.GET('/api/general/workflow/admin', {
          params: {
            query: {
              sort,
              limit: PAGE,
              ...(chosen && { filter: JSON.stringify(chosen) }),
              ...(pageParam && { cursor: pageParam }),
            },
          },
          signal,
        }),
      )
    },
    ...pageOptions,
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
    queryKey: ['workflows', 'detail', id, signedIn] as const,
    queryFn: ({ signal }): Promise<Workflow> => {
      const params = { path: { id } }
      return data<Workflow>(
        signedIn
          ? api.GET('/api/general/workflow/{id}', { params, signal })
          : api.GET('/api/public/workflow/{id}', { params, signal }),
      )
    },
  })

/** The graph, for its preview. */
export const workflowGraphQuery = (id: string, signedIn: boolean) =>
  queryOptions({
    queryKey: ['workflows', 'graph', id, signedIn] as const,
    queryFn: async ({ signal }): Promise<WorkflowGraph> => {
      const params = { path: { id }, query: { select: 'prompt name' } }
      const answer = await data<{ prompt: string }>(
        signedIn
          ? api.GET('/api/general/workflow/{id}', { params, signal })
          : api.GET('/api/public/workflow/{id}', { params, signal }),
      )
      return JSON.parse(answer.prompt) as WorkflowGraph
    },
    staleTime: TAGS_STALE_MS,
  })

/** The whole tree of tags. */
export const workflowTagsQuery = () =>
  queryOptions({
    queryKey: ['workflow-tags'] as const,
    queryFn: ({ signal }) => data<{ items: WorkflowTag[] }>(api.GET('/api/public/workflow-tag', { signal })),
    select: (list) => list.items,
    staleTime: TAGS_STALE_MS,
  })
