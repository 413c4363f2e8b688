import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { isApiError } from '@/shared/api/errors'
import type { CursorPage, OutputAsset } from '@/shared/api/types'

const pageOptions = {
  initialPageParam: null as string | null,
  getNextPageParam: (page: { nextCursor?: string | null }) => page.nextCursor ?? undefined,
}

export const myPicturesQuery = () =>
  infiniteQueryOptions({
    queryKey: ['gallery', 'mine'] as const,
    queryFn: ({ pageParam, signal }) =>
      data<CursorPage<OutputAsset>>(
        api.GET('/api/general/output-asset/my', {
          params: { query: { limit: 60, ...(pageParam && { cursor: pageParam }) } },
          signal,
        }),
      ),
    ...pageOptions,
    select: (pages) => pages.pages.flatMap((page) => page.items),
  })

/** The newest public pictures, one page of them. */
export const newestPicturesQuery = (limit: number) =>
  queryOptions({
    queryKey: ['gallery', 'newest', limit] as const,
    queryFn: ({ signal }) =>
      data<CursorPage<OutputAsset>>(api.GET('/api/public/output-asset', { params: { query: { limit } }, signal })),
    select: (page) => page.items,
  })

/** Own private pictures come from the general endpoint, everything else from the public one. */
export const pictureQuery = (id: string, signedIn: boolean) =>
  queryOptions({
    queryKey: ['gallery', 'detail', id, signedIn] as const,
    queryFn: async ({ signal }): Promise<OutputAsset> => {
      const params = { path: { id } }
      if (!signedIn) return data<OutputAsset>(api.GET('/api/public/output-asset/{id}', { params, signal }))
      return data<OutputAsset>(api.GET('/api/general/output-asset/{id}', { params, signal })).catch(
        (error: unknown) => {
          if (isApiError(error) && [403, 404].includes(error.status)) {
            return data<OutputAsset>(api.GET('/api/public/output-asset/{id}', { params, signal }))
          }
          throw error
        },
      )
    },
  })

type Pages = { pages: CursorPage<OutputAsset>[]; pageParams: unknown[] }

const mapMine = (client: QueryClient, change: (items: OutputAsset[]) => OutputAsset[]) =>
  client.setQueryData<Pages>(
    myPicturesQuery().queryKey,
    (old) => old && { ...old, pages: old.pages.map((page) => ({ ...page, items: change(page.items) })) },
  )

/** Changes pictures wherever they are shown, without loading an open list again. */
function patchPictures(client: QueryClient, ids: string[], change: Partial<OutputAsset>): void {
  mapMine(client, (items) => items.map((item) => (ids.includes(item._id) ? { ...item, ...change } : item)))
  client.setQueriesData<OutputAsset>({ queryKey: ['gallery', 'detail'] }, (old) =>
    old && ids.includes(old._id) ? { ...old, ...change } : old,
  )
}

type Visibility = { ids: string[]; isPrivate: boolean }

/** Shown at once, taken back when the server refuses. */
export function useSetPrivate() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Visibility) => data(api.PATCH('/api/general/output-asset/privates', { body })),
    onMutate: async ({ ids, isPrivate }) => {
      await client.cancelQueries({ queryKey: ['gallery', 'mine'] })
      patchPictures(client, ids, { isPrivate })
    },
    onError: (_error, { ids, isPrivate }) => patchPictures(client, ids, { isPrivate: !isPrivate }),
    onSettled: () => client.invalidateQueries({ queryKey: ['gallery', 'newest'] }),
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
      mapMine(client, (items) => items.filter((item) => !ids.includes(item._id)))
      return client.invalidateQueries({ queryKey: ['gallery', 'newest'] })
    },
  })
}
