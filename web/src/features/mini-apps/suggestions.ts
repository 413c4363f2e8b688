import { queryOptions } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import type { GeneratorTask, Suggestions } from '@/shared/api/types'
import { type AppFilter, LOST_CHECK_MS, READY_CHECK_MS } from './api'

/** The apps for a sentence, with `makes` only those that make this. */
export const suggestionsQuery = (wish: string, makes?: AppFilter['makes']) =>
  queryOptions({
    queryKey: [...keys.miniApps.suggest, makes ?? '', wish] as const,
    queryFn: ({ signal }) => {
      const query = { text: wish, ...(makes && { makes }) }
      return data(api.GET('/api/public/mini-app/suggest', { params: { query }, signal }))
    },
    enabled: wish !== '',
    staleTime: READY_CHECK_MS,
    refetchInterval: ({ state }) => (state.data && canMake(state.data) ? LOST_CHECK_MS : READY_CHECK_MS),
  })

/** What the tasks make that need only words. */
const FROM_WORDS: Partial<Record<GeneratorTask, string>> = {
  TextToImage: 'image',
  TextToVideo: 'video',
  TextToAudio: 'audio',
  TextTo3D: 'file',
}

/** Whether an app makes what the sentence asks for, from the sentence alone. */
export const makesIt = (task: string, { app, drawsWords }: Suggestions['fitting'][number]): boolean =>
  drawsWords && app.makes.some((kind) => kind === FROM_WORDS[task as GeneratorTask])

/** Whether an app that a worker can run makes what a sentence asks for. */
export const canMake = ({ task, generators, fitting }: Suggestions): boolean =>
  generators.length > 0 || fitting.some((one) => makesIt(task, one))

/** The tasks of the generators that workers can run now, each once. */
export const liveTasksQuery = () =>
  queryOptions({
    queryKey: [...keys.miniApps.suggest, 'tasks'] as const,
    queryFn: ({ signal }) => data(api.GET('/api/public/generator', { signal })),
    select: ({ items }) => [...new Set(items.map(({ task }) => task as GeneratorTask))],
    staleTime: READY_CHECK_MS,
    refetchInterval: LOST_CHECK_MS,
  })
