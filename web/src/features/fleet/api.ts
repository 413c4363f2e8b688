import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import type { Agent, AgentToken, NewAgentToken, RequestedRequirement, Worker } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'

const REFETCH_MS = 30_000

/** Every worker and what it does, for operators. */
export const workersQuery = () =>
  queryOptions({
    queryKey: keys.workers.list,
    queryFn: async ({ signal }): Promise<Worker[]> => (await data(api.GET('/api/admin/worker', { signal }))).items,
    refetchInterval: REFETCH_MS,
  })

/** Refreshes a worker's nodes and models at once. */
export function useRefreshWorker() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => data(api.POST('/api/admin/worker/{id}/refresh', { params: { path: { id } } })),
    onSuccess: (worker) => {
      client.setQueryData(workersQuery().queryKey, (held) =>
        held?.map((one) => (one._id === worker._id ? worker : one)),
      )
      // Forms show the models of the workers.
      return client.invalidateQueries({ queryKey: keys.miniApps.models })
    },
  })
}

/** The agent of a worker and its machine. */
export const agentQuery = (worker: string) =>
  queryOptions({
    queryKey: [...keys.workers.agent, worker],
    queryFn: ({ signal }): Promise<Agent> =>
      data(api.GET('/api/admin/agent/{id}', { params: { path: { id: worker } }, signal })),
  })

export const agentTokensQuery = () =>
  queryOptions({
    queryKey: keys.workers.tokens,
    queryFn: async ({ signal }): Promise<AgentToken[]> =>
      (await data(api.GET('/api/admin/agent-token', { signal }))).items,
  })

export function useCreateAgentToken() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { name: string; pools: string[] }): Promise<NewAgentToken> =>
      data(api.POST('/api/admin/agent-token', { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.workers.tokens }),
  })
}

export function useRevokeAgentToken() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.DELETE('/api/admin/agent-token/{id}', { params: { path: { id } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.workers.all }),
  })
}

/** Allows agents of a token again whose workers were removed. */
export function useAllowAgents() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.POST('/api/admin/agent-token/{id}/allow', { params: { path: { id } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.workers.all }),
  })
}

/** The nodes and models that users have asked for, the most requested first. */
export const requestedQuery = () =>
  queryOptions({
    queryKey: keys.workers.requested,
    queryFn: async ({ signal }): Promise<RequestedRequirement[]> =>
      (await data(api.GET('/api/admin/requirement-request', { signal }))).items,
  })

/** Deletes a request and all others for the same node or model. */
export function useCloseRequests() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.DELETE('/api/admin/requirement-request/{id}', { params: { path: { id } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.workers.requested }),
  })
}
