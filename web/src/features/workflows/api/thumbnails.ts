import { api, data } from '@/shared/api/client'
import type { Asset } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'

/** Copies one of the user's own pictures to their uploads, for the pictures of a workflow. */
export function useCopyAsThumbnail() {
  return useMutation({
    mutationFn: (id: string): Promise<Asset> =>
      data(api.POST('/api/general/output-asset/{id}/thumbnail', { params: { path: { id } } })),
  })
}
