import { useQueryClient } from '@tanstack/react-query'
import { workflowQuery } from '@/features/workflows'
import { api, data } from '@/shared/api/client'

/** The graph, as JSON text, with the mini app of its workflow, as ComfyUI keeps apps; null if there is no mini app. */
export function useWithApp() {
  const client = useQueryClient()
  return async (flow: string | null, workflow: string): Promise<string | null> => {
    if (flow === null) return null
    const { workflowApi } = await client.fetchQuery({ ...workflowQuery(flow, true), staleTime: 0 })
    if (!workflowApi) return null
    const params = { path: { id: flow } }
    // Sends and reads the graph as raw text: parsing would change large numbers.
    const bodySerializer = () => `{"workflow":${workflow}}`
    const sent = { params, body: { workflow: {} }, bodySerializer, parseAs: 'blob' } as const
    const file: Blob = await data(api.POST('/api/general/workflow/{id}/export', sent))
    return file.text()
  }
}
