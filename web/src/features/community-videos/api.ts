import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import type { CommunityVideo, CursorPage } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'
import type { VideoQuestion } from './model'

const question = ({ sort, keyword, author }: VideoQuestion, cursor: string | null) => ({
  sort,
  limit: 24,
  ...(keyword && { keyword }),
  ...(author && { filter: JSON.stringify({ author_name: author }) }),
  ...(cursor && { cursor }),
})

/** The list that everybody sees; for admins with what YouTube has taken away. */
export const videosQuery = (asked: VideoQuestion, admin = false) =>
  infiniteQueryOptions({
    queryKey: ['videos', admin ? 'admin' : 'public', asked] as const,
    queryFn: ({ pageParam, signal }) => {
      const init = { params: { query: question(asked, pageParam) }, signal }
      return data<CursorPage<CommunityVideo>>(
        admin
          ? api.GET('/api/admin/youtube-community/list', init)
          : api.GET('/api/public/youtube-community/list', init),
      )
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: (pages) => pages.pages.flatMap((page) => page.items),
  })

/** Every change makes the lists stale, the visitors' one too. */
function useVideoChange<Change, Answer>(change: (value: Change) => Promise<Answer>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => client.invalidateQueries({ queryKey: ['videos'] }),
  })
}

export type NewVideo = { url: string; youtubeCreatedAt?: string }

export const useAddVideo = () =>
  useVideoChange((body: NewVideo) => data<CommunityVideo>(api.POST('/api/admin/youtube-community', { body })))

export const useChangeVideo = () =>
  useVideoChange(({ id, ...body }: { id: string; name: string; youtubeCreatedAt: string }) =>
    data<CommunityVideo>(api.PATCH('/api/admin/youtube-community/{id}', { params: { path: { id } }, body })),
  )

export const useRefreshVideo = () =>
  useVideoChange((id: string) =>
    data<CommunityVideo>(api.POST('/api/admin/youtube-community/{id}/refresh', { params: { path: { id } } })),
  )

export const useRemoveVideo = () =>
  useVideoChange((id: string) => api.DELETE('/api/admin/youtube-community/{id}', { params: { path: { id } } }))
