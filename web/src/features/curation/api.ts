import { keepPreviousData, type QueryKey, queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import { useMutation } from '@/shared/api/use-mutation'

/** All tags in their order, with their number of uses. */
export const tagUsesQuery = () =>
  queryOptions({
    queryKey: keys.tags.uses,
    queryFn: ({ signal }) => data(api.GET('/api/admin/workflow-tag', { signal })),
    select: (list) => list.items,
    staleTime: 0,
  })

/**
 * Refetches after every change, successful or not: another admin may have changed the list too. Workflows contain the
 * names of their tags.
 */
function useChange<Change, Answer>(queryKey: QueryKey, change: (value: Change) => Promise<Answer>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey }),
        client.invalidateQueries({ queryKey: keys.workflows.all, refetchType: 'none' }),
      ]),
  })
}

export type TagWords = { name: string; nameKo: string; parentTag: string | null }

export const useCreateTag = () =>
  useChange(keys.tags.all, (body: TagWords) => data(api.POST('/api/admin/workflow-tag', { body })))

export const useUpdateTag = () =>
  useChange(keys.tags.all, ({ id, ...body }: TagWords & { id: string }) =>
    data(api.PATCH('/api/admin/workflow-tag/{id}', { params: { path: { id } }, body })),
  )

export const useOrderTags = () =>
  useChange(keys.tags.all, (body: { parentTag: string | null; ids: string[] }) =>
    api.PUT('/api/admin/workflow-tag/order', { body }),
  )

export const useMergeTags = () =>
  useChange(keys.tags.all, ({ id, into }: { id: string; into: string }) =>
    data(api.POST('/api/admin/workflow-tag/{id}/merge', { params: { path: { id } }, body: { into } })),
  )

export const useDeleteTag = () =>
  useChange(keys.tags.all, (id: string) => api.DELETE('/api/admin/workflow-tag/{id}', { params: { path: { id } } }))

export const basicsQuery = () =>
  queryOptions({
    queryKey: keys.workflows.basicsInOrder,
    queryFn: ({ signal }) => data(api.GET('/api/admin/basic-workflow', { signal })),
    select: (list) => list.items,
    staleTime: 0,
  })

/** Published workflows to choose from: the newest, or search results. */
export const candidatesQuery = (words: string) =>
  queryOptions({
    queryKey: [...keys.workflows.candidates, words] as const,
    queryFn: ({ signal }) =>
      data(
        api.GET('/api/public/workflow', {
          params: { query: { limit: 12, nsfw: 'View', ...(words && { q: words }) } },
          signal,
        }),
      ),
    select: (page) => page.items,
    placeholderData: keepPreviousData,
  })

/** Adds a workflow at the end of the basic ones, or removes it. */
export const useChooseBasic = () =>
  useChange(keys.workflows.basicsInOrder, ({ id, isBasic }: { id: string; isBasic: boolean }) =>
    data(api.PATCH('/api/general/workflow/{id}', { params: { path: { id } }, body: { isBasic } })),
  )

export const useOrderBasics = () =>
  useChange(keys.workflows.basicsInOrder, (ids: string[]) =>
    data(api.PUT('/api/admin/basic-workflow/order', { body: { ids } })),
  )
