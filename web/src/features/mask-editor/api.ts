import { useQueryClient } from '@tanstack/react-query'
import { uploadToEditor } from '@/shared/api/editor-request'
import { ApiError } from '@/shared/api/errors'
import { keys } from '@/shared/api/keys'
import type { Asset, InputAsset } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'

/** A picture of the user as the editor's host names it: an asset by its id, or a file of the input folder. */
export type PictureRef = { filename: string; type?: 'input' }

/** The masked picture: an asset, and the value of an image node that means it. */
export type MaskedPicture = { asset: Asset; value: string }

type Masked = { original: { ref: PictureRef; name: string }; mask: Blob }
type Uploaded = Partial<InputAsset> & { name?: string; subfolder?: string }

/** The picture's file, or only its colours, without transparency. */
export function pictureUrl({ filename }: PictureRef, channel?: 'rgb'): string {
  const query = new URLSearchParams({ filename, type: 'input', ...(channel && { channel }) })
  return `/comfyui-editor/api/view?${query}`
}

async function send({ original: { ref, name }, mask }: Masked): Promise<MaskedPicture> {
  const form = new FormData()
  form.append('image', mask, `masked-${name.replace(/^(masked-)+|\.[^.]*$/g, '')}.png`)
  form.append('original_ref', JSON.stringify(ref))
  form.append('type', 'input')
  form.append('subfolder', 'clipspace')
  form.append('kind', 'Image')
  const answer = (await uploadToEditor('mask', form)) as Uploaded
  if (!answer.asset || !answer.name)
    throw new ApiError(200, { code: 'EMPTY_ANSWER', message: 'the answer has no asset' })
  return { asset: answer.asset, value: answer.subfolder ? `${answer.subfolder}/${answer.name}` : answer.name }
}

/** Sends a mask. The answer is a new picture with the mask in its alpha channel. */
export function useSaveMask() {
  const client = useQueryClient()
  return useMutation({
    once: ({ original }: Masked) => original.ref.filename,
    mutationFn: send,
    onSuccess: () => client.invalidateQueries({ queryKey: keys.miniApps.inputs }),
  })
}
