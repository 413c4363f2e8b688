import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import { useMutation } from '@/shared/api/use-mutation'

/** All tags in their order, and how much each is used. */
export const tagUsesQuery = () =>
  queryOptions({
    queryKey: keys.tags.uses,
    queryFn: ({ signal }) => data(api.GET('/api/admin/workflow-tag', { signal })),
    select: (list) => list.items,
    staleTime: 0,
  })

/** After a change of the tree, whether it went well or not: somebody else may have changed it too. */
function useTagChange<Change, Answer>(change: (value: Change) => Promise<Answer>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.tags.all }),
        // Workflows carry the names of their tags.
        client.invalidateQueries({ queryKey: keys.workflows.all, refetchType: 'none' }),
      ]),
  })
}

export type TagWords = { name: string; nameKo: string; parentTag: string | null }

export const useCreateTag = () => useTagChange((body: TagWords) => data(api.POST('/api/admin/workflow-tag', { body })))

export const useUpdateTag = () =>
  useTagChange(({ id, ...body }: TagWords & { id: string }) =>
    data(api.PATCH('/api/admin/workflow-tag/{id}', { params: { path: { id } }, body })),
  )

export const useOrderTags = () =>
  useTagChange((body: { parentTag: string | null; ids: string[] }) =>
    api.PUT('/api/admin/workflow-tag/order', { body }),
  )

export const useMergeTags = () =>
  useTagChange(({ id, into }: { id: string; into: string }) =>
    data(api.POST('/api/admin/workflow-tag/{id}/merge', { params: { path: { id } }, body: { into } })),
  )

export const useDeleteTag = () =>
  useTagChange((id: string) => api.DELETE('/api/admin/workflow-tag/{id}', { params: { path: { id } } }))

/** The basic workflows in their order, also those that their authors hide at the moment. */
export const basicsQuery = () =>
  queryOptions({
    queryKey: keys.workflows.basicsInOrder,
    queryFn: ({ signal }) => data(api.GET('/api/admin/basic-workflow', { signal })),
    select: (list) => list.items,
    staleTime: 0,
  })

/** Published workflows to choose from: the newest, or those that have the words. */
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

function useBasicsChange<Change, Answer>(change: (value: Change) => Promise<Answer>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.workflows.basicsInOrder }),
        client.invalidateQueries({ queryKey: keys.workflows.all, refetchType: 'none' }),
      ]),
  })
}

/** Takes a workflow among the basic ones, as the last, or takes it out. */
export const useChooseBasic = () =>
  useBasicsChange(({ id, isBasic }: { id: string; isBasic: boolean }) =>
    data(api.PATCH('/api/general/workflow/{id}', { params: { path: { id } }, body: { isBasic } })),
  )

export const useOrderBasics = () =>
  useBasicsChange((ids: string[]) => data(api.PUT('/api/admin/basic-workflow/order', { body: { ids } })))
