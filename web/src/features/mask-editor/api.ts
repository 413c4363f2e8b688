import { useQueryClient } from '@tanstack/react-query'
import { uploadToEditor } from '@/shared/api/editor-upload'
import { ApiError } from '@/shared/api/errors'
import { keys } from '@/shared/api/keys'
import type { Asset, InputAsset } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'

type Masked = { original: { id: string; name: string }; mask: Blob }

async function send({ original, mask }: Masked): Promise<Asset> {
  const form = new FormData()
  form.append('image', mask, `masked-${original.name.replace(/\.[^.]*$/, '')}.png`)
  form.append('original_ref', JSON.stringify({ filename: original.id }))
  form.append('type', 'input')
  form.append('subfolder', 'clipspace')
  form.append('kind', 'Image')
  const { asset } = (await uploadToEditor('mask', form)) as Partial<InputAsset>
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
