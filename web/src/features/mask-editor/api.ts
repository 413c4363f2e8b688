import { useQueryClient } from '@tanstack/react-query'
import { xsrfToken } from '@/shared/api/client'
import { noteFailedRequest } from '@/shared/api/connection'
import { ApiError, errorFromResponse } from '@/shared/api/errors'
import { keys } from '@/shared/api/keys'
import { checkSessionEnd } from '@/shared/api/session-end'
import type { Asset, InputAsset } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'

/** The mask endpoint of ComfyUI's API. It is not in the OpenAPI description. */
const UPLOAD = '/comfyui-editor/api/upload/mask'

type Masked = { original: { id: string; name: string }; mask: Blob }

async function send({ original, mask }: Masked): Promise<Asset> {
  const form = new FormData()
  form.append('image', mask, `masked-${original.name.replace(/\.[^.]*$/, '')}.png`)
  form.append('original_ref', JSON.stringify({ filename: original.id }))
  form.append('type', 'input')
  form.append('subfolder', 'clipspace')
  form.append('kind', 'Image')
  const headers = { 'X-XSRF-TOKEN': xsrfToken() }
  const response = await fetch(UPLOAD, { method: 'POST', body: form, headers, credentials: 'same-origin' }).catch(
    () => {
      noteFailedRequest()
      throw new ApiError(0)
    },
  )
  if (response.status !== 200) {
    const error = await errorFromResponse(response)
    checkSessionEnd(error.status, error.code)
    throw error
  }
  const { asset } = (await response.json()) as Partial<InputAsset>
  if (!asset) throw new ApiError(200, { code: 'EMPTY_ANSWER', message: 'the answer has no asset' })
  return asset
}

/** Sends a mask. The answer is a new picture with the mask in its alpha channel. */
export function useSaveMask() {
  const client = useQueryClient()
  return useMutation({
    once: ({ original }: Masked) => original.id,
    mutationFn: send,
    onSuccess: () => client.invalidateQueries({ queryKey: keys.miniApps.inputs }),
  })
}
