import { useQueryClient } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { cursorQuery } from '@/shared/api/cursor-query'
import { keys } from '@/shared/api/keys'
import { useMutation } from '@/shared/api/use-mutation'
import type { VideoQuestion } from './model'

const question = ({ sort, keyword, author }: VideoQuestion) => ({
  sort,
  limit: 24,
  ...(keyword && { keyword }),
  ...(author && { filter: JSON.stringify({ author_name: author }) }),
})

export const videosQuery = (filters: VideoQuestion, admin = false) =>
  cursorQuery([...keys.videos, admin ? 'admin' : 'public', filters], (next, signal) => {
    const init = { params: { query: { ...question(filters), ...next } }, signal }
    return data(
      admin ? api.GET('/api/admin/youtube-community/list', init) : api.GET('/api/public/youtube-community/list', init),
    )
  })

/** Every change invalidates the admin's and the public list. */
function useVideoChange<Change, Answer>(change: (value: Change) => Promise<Answer>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => client.invalidateQueries({ queryKey: keys.videos }),
  })
}

type NewVideo = { url: string; youtubeCreatedAt?: string }

export const useAddVideo = () =>
  useVideoChange((body: NewVideo) => data(api.POST('/api/admin/youtube-community', { body })))

export const useChangeVideo = () =>
  useVideoChange(({ id, ...body }: { id: string; name: string; youtubeCreatedAt: string }) =>
    data(api.PATCH('/api/admin/youtube-community/{id}', { params: { path: { id } }, body })),
  )

export const useRefreshVideo = () =>
  useVideoChange((id: string) =>
    data(api.POST('/api/admin/youtube-community/{id}/refresh', { params: { path: { id } } })),
  )

export const useRemoveVideo = () =>
  useVideoChange((id: string) => api.DELETE('/api/admin/youtube-community/{id}', { params: { path: { id } } }))
