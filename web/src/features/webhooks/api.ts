import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { data } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import { useMutation } from '@/shared/api/use-mutation'
import { busyUntil, freshUntil, HISTORY_PAGE } from './model'
import type { WebhookDraft } from './types'
import { webhooks } from './webhook-paths'

/** How often is looked while something is on its way. */
const LOOK_MS = 3000
/** Looked at only while the page is in sight, and at once when it comes back into it. */
const live = { staleTime: 0, refetchOnWindowFocus: true } as const

/** What a webhook can be called for. */
export const eventsQuery = () =>
  queryOptions({
    queryKey: keys.webhooks.events,
    queryFn: ({ signal }) => data(webhooks.GET('/api/general/webhook-event', { signal })),
    select: (list) => list.items,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The webhooks of one API, or with null those of the whole account. */
export const configsQuery = (workflowApiId: string | null) =>
  queryOptions({
    queryKey: [...keys.webhooks.configs, workflowApiId] as const,
    queryFn: ({ signal }) =>
      data(
        workflowApiId === null
          ? webhooks.GET('/api/general/webhook-config', { signal })
          : webhooks.GET('/api/general/webhook-config/{workflowApiId}', {
              params: { path: { workflowApiId } },
              signal,
            }),
      ),
    select: (list) => list.items,
    refetchInterval: ({ state }) => (state.data?.items.some((one) => busyUntil(one) > Date.now()) ? LOOK_MS : false),
    ...live,
  })

type Asked = { config: string; page: number; search: string }

/** What was sent, the latest first. `busy` where more is known to come. */
export const historyQuery = ({ config, page, search }: Asked, busy: boolean) =>
  queryOptions({
    queryKey: [...keys.webhooks.history, config, page, search] as const,
    queryFn: ({ signal }) => {
      const query = { page, limit: HISTORY_PAGE, ...(search && { search }) }
      const params = { path: { configId: config }, query }
      return data(webhooks.GET('/api/general/webhook-history/{configId}', { params, signal }))
    },
    // Another page may stand in for the one that comes; another webhook's may not.
    placeholderData: (before, query) => (query?.queryKey[2] === config ? keepPreviousData(before) : undefined),
    refetchInterval: ({ state }) => (busy || freshUntil(state.data?.data ?? []) > Date.now() ? LOOK_MS : false),
    ...live,
  })

/** Has what is shown of webhooks asked for again after a change. */
function useForget() {
  const client = useQueryClient()
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: keys.webhooks.configs }),
      client.invalidateQueries({ queryKey: keys.webhooks.history }),
    ])
}

export function useAddWebhook(workflowApiId: string | null) {
  const forget = useForget()
  return useMutation({
    mutationFn: (body: WebhookDraft) =>
      data(
        workflowApiId === null
          ? webhooks.POST('/api/general/webhook-config', { body })
          : webhooks.POST('/api/general/webhook-config/{workflowApiId}', { params: { path: { workflowApiId } }, body }),
      ),
    // The secret is kept by whoever shows it, and nowhere else.
    gcTime: 0,
    onSuccess: forget,
  })
}

export function useChangeWebhook(configId: string) {
  const forget = useForget()
  return useMutation({
    mutationFn: ({ name, webhookUrl, webhookEventIds }: WebhookDraft) =>
      data(
        webhooks.PATCH('/api/general/webhook-config/{configId}', {
          params: { path: { configId } },
          body: { name, webhookUrl, webhookEvents: webhookEventIds },
        }),
      ),
    onSuccess: forget,
  })
}

export function useDeleteWebhook(configId: string) {
  const forget = useForget()
  return useMutation({
    mutationFn: () => webhooks.DELETE('/api/general/webhook-config/{configId}', { params: { path: { configId } } }),
    onSuccess: forget,
  })
}

/** Gives a webhook another secret; the old one signs too for a day. */
export function useRotateSecret(configId: string) {
  return useMutation({
    mutationFn: () =>
      data(webhooks.POST('/api/general/webhook-config/{configId}/secret', { params: { path: { configId } } })),
    gcTime: 0,
  })
}

export function useEnableWebhook(configId: string) {
  const forget = useForget()
  return useMutation({
    mutationFn: () =>
      data(webhooks.POST('/api/general/webhook-config/{configId}/enable', { params: { path: { configId } } })),
    onSuccess: forget,
  })
}

/** Sends a made-up event, so that somebody sees whether their program hears. */
export function useTestWebhook(configId: string) {
  const forget = useForget()
  return useMutation({
    mutationFn: () =>
      data(webhooks.POST('/api/general/webhook-config/{configId}/test', { params: { path: { configId } } })),
    onSuccess: forget,
  })
}

/** Sends everything again that has failed since a time. */
export function useResendFailed(configId: string) {
  const forget = useForget()
  return useMutation({
    mutationFn: (since: string) =>
      data(
        webhooks.POST('/api/general/webhook-config/{configId}/resend-failed', {
          params: { path: { configId } },
          body: { since },
        }),
      ),
    onSuccess: forget,
  })
}

export function useResendAttempt() {
  const forget = useForget()
  return useMutation({
    mutationFn: (historyId: string) =>
      data(
        webhooks.POST('/api/general/webhook-config/resend/workflowHistory/{historyId}', {
          params: { path: { historyId } },
        }),
      ),
    onSuccess: forget,
  })
}
