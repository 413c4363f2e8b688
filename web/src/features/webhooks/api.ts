import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import type { Client } from 'openapi-fetch'
import { api, data } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import { useMutation } from '@/shared/api/use-mutation'
import { busyUntil, freshUntil, HISTORY_PAGE } from './model'
import type { History, NewSecret, NewWebhookConfig, WebhookConfig, WebhookDraft, WebhookEvent } from './types'

/** Refetch interval while deliveries are pending. */
const REFETCH_MS = 3000
/** Always stale: refetched while the page is visible, and on focus. */
const live = { staleTime: 0, refetchOnWindowFocus: true } as const

export const eventsQuery = () =>
  queryOptions({
    queryKey: keys.webhooks.events,
    queryFn: ({ signal }) => data(webhooks.GET('/api/general/webhook-event', { signal })),
    select: (list) => list.items,
    staleTime: Number.POSITIVE_INFINITY,
  })

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
    refetchInterval: ({ state }) => (state.data?.items.some((one) => busyUntil(one) > Date.now()) ? REFETCH_MS : false),
    ...live,
  })

type HistoryFilter = { config: string; page: number; search: string }

/** The deliveries, latest first. `busy` refetches while more are expected. */
export const historyQuery = ({ config, page, search }: HistoryFilter, busy: boolean) =>
  queryOptions({
    queryKey: [...keys.webhooks.history, config, page, search] as const,
    queryFn: ({ signal }) => {
      const query = { page, limit: HISTORY_PAGE, ...(search && { search }) }
      const params = { path: { configId: config }, query }
      return data(webhooks.GET('/api/general/webhook-history/{configId}', { params, signal }))
    },
    // Keeps the previous page as placeholder, but not that of another webhook.
    placeholderData: (before, query) => (query?.queryKey[2] === config ? keepPreviousData(before) : undefined),
    refetchInterval: ({ state }) => (busy || freshUntil(state.data?.data ?? []) > Date.now() ? REFETCH_MS : false),
    ...live,
  })

function useWebhookChange<Change, Answer>(
  mutationFn: (value: Change) => Promise<Answer>,
  options: { gcTime?: number } = {},
) {
  const client = useQueryClient()
  return useMutation({
    ...options,
    mutationFn,
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.webhooks.configs }),
        client.invalidateQueries({ queryKey: keys.webhooks.history }),
      ]),
  })
}

/** Options of writes whose answer has a secret, which must not stay in the cache. */
const UNCACHED = { gcTime: 0 }

export const useAddWebhook = (workflowApiId: string | null) =>
  useWebhookChange(
    (body: WebhookDraft) =>
      data(
        workflowApiId === null
          ? webhooks.POST('/api/general/webhook-config', { body })
          : webhooks.POST('/api/general/webhook-config/{workflowApiId}', { params: { path: { workflowApiId } }, body }),
      ),
    UNCACHED,
  )

export const useChangeWebhook = (configId: string) =>
  useWebhookChange(({ name, webhookUrl, webhookEventIds }: WebhookDraft) =>
    data(
      webhooks.PATCH('/api/general/webhook-config/{configId}', {
        params: { path: { configId } },
        body: { name, webhookUrl, webhookEvents: webhookEventIds },
      }),
    ),
  )

export const useDeleteWebhook = (configId: string) =>
  useWebhookChange((_: undefined) =>
    webhooks.DELETE('/api/general/webhook-config/{configId}', { params: { path: { configId } } }),
  )

/** Replaces a webhook's secret. The old one also signs for a day. */
export const useRotateSecret = (configId: string) =>
  useMutation({
    ...UNCACHED,
    mutationFn: () =>
      data(webhooks.POST('/api/general/webhook-config/{configId}/secret', { params: { path: { configId } } })),
  })

export const useEnableWebhook = (configId: string) =>
  useWebhookChange((_: undefined) =>
    data(webhooks.POST('/api/general/webhook-config/{configId}/enable', { params: { path: { configId } } })),
  )

export const useTestWebhook = (configId: string) =>
  useWebhookChange((_: undefined) =>
    data(webhooks.POST('/api/general/webhook-config/{configId}/test', { params: { path: { configId } } })),
  )

export const useResendFailed = (configId: string) =>
  useWebhookChange((since: string) =>
    data(
      webhooks.POST('/api/general/webhook-config/{configId}/resend-failed', {
        params: { path: { configId } },
        body: { since },
      }),
    ),
  )

export const useResendAttempt = () =>
  useWebhookChange((historyId: string) =>
    data(
      webhooks.POST('/api/general/webhook-config/resend/workflowHistory/{historyId}', {
        params: { path: { historyId } },
      }),
    ),
  )

type Json<T> = { content: { 'application/json': T } }
type Empty = { content?: never }
type Of<Name extends string> = { path: Record<Name, string> }
type Configs = { parameters: object; responses: { 200: Json<{ items: WebhookConfig[] }> } }
type Add = { parameters: object; requestBody: Json<WebhookDraft>; responses: { 201: Json<NewWebhookConfig> } }
type ByConfig = { parameters: Of<'configId'> }
type Change = { name?: string; webhookUrl?: string; webhookEvents?: string[] }

type WebhookPaths = {
  '/api/general/webhook-event': { get: { responses: { 200: Json<{ items: WebhookEvent[] }> } } }
  '/api/general/webhook-config': { get: Configs; post: Add }
  '/api/general/webhook-config/{workflowApiId}': {
    get: Configs & { parameters: Of<'workflowApiId'> }
    post: Add & { parameters: Of<'workflowApiId'> }
  }
  '/api/general/webhook-config/{configId}': {
    patch: ByConfig & { requestBody: Json<Change>; responses: { 200: Json<WebhookConfig> } }
    delete: ByConfig & { responses: { 204: Empty } }
  }
  '/api/general/webhook-config/{configId}/secret': { post: ByConfig & { responses: { 200: Json<NewSecret> } } }
  '/api/general/webhook-config/{configId}/enable': { post: ByConfig & { responses: { 200: Json<WebhookConfig> } } }
  '/api/general/webhook-config/{configId}/test': { post: ByConfig & { responses: { 202: Json<{ groupId: string }> } } }
  '/api/general/webhook-config/{configId}/resend-failed': {
    post: ByConfig & { requestBody: Json<{ since: string }>; responses: { 200: Json<{ count: number }> } }
  }
  '/api/general/webhook-config/resend/workflowHistory/{historyId}': {
    post: { parameters: Of<'historyId'>; responses: { 202: Json<{ groupId: string }> } }
  }
  '/api/general/webhook-history/{configId}': {
    get: {
      parameters: Of<'configId'> & { query: { page: number; limit: number; search?: string } }
      responses: { 200: Json<History> }
    }
  }
}

const webhooks = api as unknown as Client<WebhookPaths>
