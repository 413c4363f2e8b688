import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { cursorQuery } from '@/shared/api/cursor-query'
import { keys } from '@/shared/api/keys'
import type { CaseVerdict, ReportKind, ReportReason } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'
import { type BanDraft, type CaseQuestion, type CommentQuestion, penalty } from './model'

export const casesQuery = ({ state, kind, sort }: Omit<CaseQuestion, 'case'>) =>
  cursorQuery([...keys.moderation.cases, { state, kind, sort }], (next, signal) =>
    data(
      api.GET('/api/admin/moderation', {
        params: {
          query: {
            sort,
            ...(state !== 'All' && { state }),
            ...(kind !== 'All' && { kind }),
            ...next,
          },
        },
        signal,
      }),
    ),
  )

/** Page size for counting open cases. */
const COUNTED = 100

/** Number of open cases: exact up to a hundred, `100+` above. */
export const openCasesQuery = () =>
  queryOptions({
    queryKey: [...keys.moderation.cases, 'open-count'] as const,
    queryFn: async ({ signal }): Promise<string> => {
      const query = { state: 'Open' as const, sort: 'newest' as const, limit: COUNTED }
      const page = await data(api.GET('/api/admin/moderation', { params: { query }, signal }))
      return `${page.items.length}${page.nextCursor ? '+' : ''}`
    },
    refetchOnWindowFocus: true,
  })

export const caseQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.moderation.case, id] as const,
    queryFn: ({ signal }) => data(api.GET('/api/admin/moderation/{id}', { params: { path: { id } }, signal })),
  })

type NewReport = { kind: ReportKind; id: string; reason: ReportReason; text: string }

export const useReport = () =>
  useMutation({ mutationFn: (body: NewReport) => data(api.POST('/api/general/report', { body })) })

export type Decided = { revision: number; verdict: CaseVerdict; warning?: string; ban?: BanDraft }

/** Decides a case, and refetches the content that other pages show. */
export function useDecideCase(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ ban, ...rest }: Decided) => {
      const body = { ...rest, ...(ban && { ban: penalty(ban) }) }
      return data(api.POST('/api/admin/moderation/{id}/decide', { params: { path: { id } }, body }))
    },
    // Does not wait for the refetch: the form unmounts with the case, and its error text with it.
    onSettled: () => void client.invalidateQueries({ predicate: ({ queryKey: [first] }) => first !== 'auth' }),
  })
}

export const allCommentsQuery = ({ keyword, user }: CommentQuestion) =>
  cursorQuery([...keys.moderation.comments, { keyword, user }], (next, signal) =>
    data(
      api.GET('/api/admin/comment', {
        params: {
          query: {
            limit: 50,
            ...(keyword && { keyword }),
            ...(user && { user }),
            ...next,
          },
        },
        signal,
      }),
    ),
  )

export const personCardQuery = (userId: string) =>
  queryOptions({
    queryKey: [...keys.moderation.person, userId] as const,
    queryFn: ({ signal }) => data(api.GET('/api/public/user/{userId}', { params: { path: { userId } }, signal })),
  })

export function useDropComment() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.DELETE('/api/general/comment/{id}', { params: { path: { id } } }),
    onSuccess: () => {
      for (const key of ['moderation', 'comments']) void client.invalidateQueries({ queryKey: [key] })
    },
  })
}
