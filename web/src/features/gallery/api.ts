import { keepPreviousData, type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useAsUser } from '@/features/auth'
import { api, data, selected } from '@/shared/api/client'
import { cursorQuery, type Next } from '@/shared/api/cursor-query'
import { isApiError } from '@/shared/api/errors'
import { HELD, keys } from '@/shared/api/keys'
import { dropItem, patchItem } from '@/shared/api/patch-item'
import type { CursorPage, Origin, OutputAsset, WorkflowGraph } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'
import { useToggle } from '@/shared/api/use-toggle'
import { parseExact } from '@/shared/lib/exact-json'
import { spread } from '@/shared/lib/spread'
import type { PictureList } from './model'

/** Pages of the specification: 100 for lists of a profile, 20 for favourites. */
const PAGE = 60
const PROFILE_PAGE = 100
const FAVOURITES_PAGE = 20
/** A run is over: only what its author hides may change. */
const GRAPH_STALE_MS = 600_000

function load(list: PictureList, next: Next, signedIn: boolean, signal: AbortSignal) {
  switch (list.of) {
    case 'mine':
      return api.GET('/api/general/output-asset/my', { params: { query: { limit: PAGE, ...next } }, signal })
    case 'public':
      return api.GET('/api/public/output-asset', {
        params: { query: { limit: PAGE, sort: list.sort, nsfw: list.nsfw, ...next } },
        signal,
      })
    case 'admin':
      return api.GET('/api/general/output-asset', {
        params: { query: { limit: PAGE, sort: list.sort, nsfw: list.nsfw, ...next } },
        signal,
      })
    case 'published': {
      const params = {
        path: { userId: list.user },
        query: { limit: PROFILE_PAGE, sort: list.sort, nsfw: list.nsfw, ...next },
      }
      return signedIn
        ? api.GET('/api/general/output-asset/published/{userId}', { params, signal })
        : api.GET('/api/public/output-asset/published/{userId}', { params, signal })
    }
    case 'unpublished':
      return api.GET('/api/general/output-asset/unpublished/{userId}', {
        params: { path: { userId: list.user }, query: { limit: PROFILE_PAGE, ...next } },
        signal,
      })
    case 'liked':
      return api.GET('/api/general/output-asset/like', {
        params: { query: { limit: FAVOURITES_PAGE, user: list.user, ...next } },
        signal,
      })
  }
}

/**
 * One of the lists, page by page. Counts change while people read, so a picture that comes twice is shown once. The
 * public list is the same call for everybody.
 */
export const picturesQuery = (list: PictureList, signedIn: boolean) => ({
  ...cursorQuery(
    [...keys.gallery.list, list, signedIn && list.of !== 'public'],
    (next, signal): Promise<CursorPage<OutputAsset>> => data(load(list, next, signedIn, signal)),
    (pages) => distinct(list.of === 'public' && list.sort === 'newest' ? spread(pages, authorOf) : pages.flat()),
  ),
  placeholderData: keepPreviousData,
})

const authorOf = (picture: OutputAsset) => picture.user?._id

export function distinct(pictures: OutputAsset[]): OutputAsset[] {
  const seen = new Set<string>()
  return pictures.filter((picture) => !seen.has(picture._id) && seen.add(picture._id))
}

/** The newest public pictures, one page of them. */
export const newestPicturesQuery = (limit: number) =>
  queryOptions({
    queryKey: [...keys.gallery.newest, limit] as const,
    queryFn: ({ signal }): Promise<CursorPage<OutputAsset>> =>
      data(api.GET('/api/public/output-asset', { params: { query: { limit } }, signal })),
    select: (page) => spread([page.items], authorOf),
  })

/** Signed-in people ask the general endpoint, which shows their own private pictures beside what is published. */
export const pictureQuery = (id: string, signedIn: boolean) =>
  queryOptions({
    queryKey: [...keys.gallery.detail, id, signedIn] as const,
    queryFn: async ({ signal }): Promise<OutputAsset> => {
      const params = { path: { id } }
      const published = (): Promise<OutputAsset> => data(api.GET('/api/public/output-asset/{id}', { params, signal }))
      if (!signedIn) return published()
      const own: Promise<OutputAsset> = data(api.GET('/api/general/output-asset/{id}', { params, signal }))
      return own.catch((error: unknown) => {
        if (isApiError(error, 403)) return published()
        throw error
      })
    },
  })

/** What made a picture, as far as it may be shown. */
export type PictureGraph = { name: string; workflow: string | null; graph: WorkflowGraph }

/** The graph behind a picture. Looking at it is no view. */
export const pictureGraphQuery = (id: string, signedIn: boolean) =>
  queryOptions({
    queryKey: [...keys.gallery.graph, id, signedIn] as const,
    queryFn: async ({ signal }): Promise<PictureGraph> => {
      const params = { path: { id }, query: { select: 'prompt name' } }
      const { name, prompt, workflow } = await selected<{ name: string; prompt: string; workflow: string | null }>(
        signedIn
          ? api.GET('/api/general/output-asset/{id}', { params, signal })
          : api.GET('/api/public/output-asset/{id}', { params, signal }),
      )
      return { name, workflow, graph: parseExact(prompt) as WorkflowGraph }
    },
    staleTime: GRAPH_STALE_MS,
  })

/** What a picture was made with, as far as whoever looks at it is told. */
export const originQuery = (id: string, signedIn: boolean) =>
  queryOptions({
    queryKey: [...keys.gallery.origin, id, signedIn] as const,
    queryFn: ({ signal }): Promise<Origin> => {
      const params = { path: { id } }
      return data(
        signedIn
          ? api.GET('/api/general/output-asset/{id}/origin', { params, signal })
          : api.GET('/api/public/output-asset/{id}/origin', { params, signal }),
      )
    },
    staleTime: GRAPH_STALE_MS,
  })

/** Puts a picture among the uploads, where a form can take it from. */
export function useAsUpload() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => data(api.POST('/api/general/output-asset/{id}/upload', { params: { path: { id } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.miniApps.inputs }),
  })
}

/** Changes pictures wherever they are shown. */
const patchPictures = (client: QueryClient, ids: string[], change: (old: OutputAsset) => Partial<OutputAsset>) =>
  patchItem<OutputAsset>(client, HELD.picture, ids, change)

/** `showsOrigin` says whether others are told what the pictures were made with; left out, that stays as it is. */
type Visibility = { ids: string[]; isPrivate: boolean; showsOrigin?: boolean }

/** Shown at once, taken back when the server refuses. */
export function useSetPrivate() {
  const client = useQueryClient()
  return useMutation({
    once: ({ ids }) => ids.join(),
    mutationFn: (body: Visibility) => data(api.PATCH('/api/general/output-asset/privates', { body })),
    onMutate: async ({ ids, isPrivate }) => {
      await client.cancelQueries({ queryKey: keys.gallery.list })
      return patchPictures(client, ids, () => ({ isPrivate }))
    },
    onError: (_error, _sent, back) => back?.(),
    onSuccess: ({ items }) => {
      const ends = new Map(items.map((item) => [item._id, item.expiresAt ?? null]))
      const told = new Map(items.map((item) => [item._id, item.showsOrigin]))
      patchPictures(client, [...ends.keys()], (old) => ({
        expiresAt: ends.get(old._id) ?? null,
        showsOrigin: told.get(old._id) ?? old.showsOrigin,
      }))
      return client.invalidateQueries({ queryKey: keys.gallery.list, refetchType: 'none' })
    },
    onSettled: () => client.invalidateQueries({ queryKey: keys.gallery.newest }),
  })
}

/** For admins: shown at once, taken back when the server refuses. */
export function useSetNsfw() {
  const client = useQueryClient()
  return useMutation({
    once: ({ id }) => id,
    mutationFn: ({ id, isNsfw }: { id: string; isNsfw: boolean }) =>
      data(api.PATCH('/api/general/output-asset/{id}/nsfw', { params: { path: { id } }, body: { id, isNsfw } })),
    onMutate: ({ id, isNsfw }) => patchPictures(client, [id], () => ({ isNsfw })),
    onError: (_error, _sent, back) => back?.(),
  })
}

/** The heart of a picture. */
export function useLike(failed: () => string) {
  const client = useQueryClient()
  const put = (id: string, user: string, on: boolean, count: (before: number) => number) =>
    patchPictures(client, [id], (old) => ({
      likes: on ? [...old.likes.filter((one) => one !== user), user] : old.likes.filter((one) => one !== user),
      likeCount: Math.max(0, count(old.likeCount)),
    }))
  return useToggle({
    of: 'picture',
    asUser: useAsUser(),
    show: ({ id, on }, user) => put(id, user._id, on, (before) => before + (on ? 1 : -1)),
    send: ({ id, on }) => {
      const params = { path: { id } }
      return data(
        on
          ? api.PUT('/api/general/output-asset-like/{id}', { params })
          : api.DELETE('/api/general/output-asset-like/{id}', { params }),
      )
    },
    settle: ({ isLike, likeCount }, { id }, user) => {
      put(id, user._id, isLike, () => likeCount)
      const queryKey = [...keys.gallery.list, { of: 'liked', user: user._id }]
      void client.invalidateQueries({ queryKey, refetchType: 'none' })
    },
    meta: { failed },
  })
}

export function useDeletePictures() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (ids: string[]) =>
      data(
        api.DELETE('/api/general/output-asset', {
          params: { query: { filter: JSON.stringify({ _id: { $in: ids } }) } },
        }),
      ),
    onSuccess: (_deleted, ids) => {
      dropItem(client, HELD.picture, ids)
      return client.invalidateQueries({ queryKey: keys.gallery.newest })
    },
  })
}
