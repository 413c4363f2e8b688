import { keepPreviousData, type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useRequireUser } from '@/features/auth'
import { api, data, selected } from '@/shared/api/client'
import { type CursorParam, cursorQuery } from '@/shared/api/cursor-query'
import { isApiError } from '@/shared/api/errors'
import { CACHED_ITEMS, keys } from '@/shared/api/keys'
import { dropItem, patchItem } from '@/shared/api/patch-item'
import type { CursorPage, OutputAsset, WorkflowGraph } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'
import { useToggle } from '@/shared/api/use-toggle'
import { parseExact } from '@/shared/lib/exact-json'
import { spreadAuthors } from '@/shared/lib/spread-authors'
import { uniqueById } from '@/shared/lib/unique-by-id'
import type { PictureList } from './model'

/** Page sizes of the specification: 100 for lists of a profile, 20 for favourites. */
const PAGE = 60
const PROFILE_PAGE = 100
const FAVOURITES_PAGE = 20
/** A finished run does not change, except for what its author hides. */
const GRAPH_STALE_MS = 600_000

function load(list: PictureList, next: CursorParam, signedIn: boolean, signal: AbortSignal) {
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
 * One of the lists. Ordering by counts can return a picture twice, so duplicates are dropped. The public list is the
 * same call for all users, so it can be cached.
 */
export const picturesQuery = (list: PictureList, signedIn: boolean) => ({
  ...cursorQuery(
    [...keys.gallery.list, list, signedIn && list.of !== 'public'],
    (next, signal): Promise<CursorPage<OutputAsset>> => data(load(list, next, signedIn, signal)),
    (pages) =>
      uniqueById(list.of === 'public' && list.sort === 'newest' ? spreadAuthors(pages, authorOf) : pages.flat()),
  ),
  placeholderData: keepPreviousData,
})

const authorOf = (picture: OutputAsset) => picture.user?._id

export const newestPicturesQuery = (limit: number) =>
  queryOptions({
    queryKey: [...keys.gallery.newest, limit] as const,
    queryFn: ({ signal }): Promise<CursorPage<OutputAsset>> =>
      data(api.GET('/api/public/output-asset', { params: { query: { limit } }, signal })),
    select: (page) => spreadAuthors([page.items], authorOf),
  })

/** Signed-in users need the general endpoint, which also returns their own private pictures. */
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

export type PictureGraph = { name: string; workflow: string | null; graph: WorkflowGraph }

/** The graph of a picture. It does not count as a view. */
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

/** Copies a picture to the user's uploads, so that forms can use it. */
export function useCopyToUploads() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => data(api.POST('/api/general/output-asset/{id}/upload', { params: { path: { id } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.miniApps.inputs }),
  })
}

/** Changes pictures in all loaded lists. */
const patchPictures = (client: QueryClient, ids: string[], change: (old: OutputAsset) => Partial<OutputAsset>) =>
  patchItem<OutputAsset>(client, CACHED_ITEMS.picture, ids, change)

/** `showsOrigin`: whether others see how the pictures were made; undefined keeps the setting. */
type Visibility = { ids: string[]; isPrivate: boolean; showsOrigin?: boolean }

/** Optimistic; rolled back on error. */
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
      const showsOriginOf = new Map(items.map((item) => [item._id, item.showsOrigin]))
      patchPictures(client, [...ends.keys()], (old) => ({
        expiresAt: ends.get(old._id) ?? null,
        showsOrigin: showsOriginOf.get(old._id) ?? old.showsOrigin,
      }))
      return client.invalidateQueries({ queryKey: keys.gallery.list, refetchType: 'none' })
    },
    onSettled: () => client.invalidateQueries({ queryKey: keys.gallery.newest }),
  })
}

/** For admins. Optimistic; rolled back on error. */
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

export function useLike(failed: () => string) {
  const client = useQueryClient()
  const put = (id: string, user: string, on: boolean, count: (before: number) => number) =>
    patchPictures(client, [id], (old) => ({
      likes: on ? [...old.likes.filter((one) => one !== user), user] : old.likes.filter((one) => one !== user),
      likeCount: Math.max(0, count(old.likeCount)),
    }))
  return useToggle({
    of: 'picture',
    asUser: useRequireUser(),
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
      dropItem(client, CACHED_ITEMS.picture, ids)
      return client.invalidateQueries({ queryKey: keys.gallery.newest })
    },
  })
}
