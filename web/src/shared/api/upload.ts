import { api, xsrfToken } from './client'
import { noteFailedRequest } from './connection'
import { ApiError, retryAfter } from './errors'
import { checkSessionEnd } from './session-end'
import type { Asset } from './types'

export const MAX_IMAGE_BYTES = 20_971_520

export const MAX_PLAYED_BYTES = 104_857_600

export type FileKind = 'image' | 'video' | 'audio' | 'text'

export const KIND_WORD = { image: 'Image', video: 'Video', audio: 'Audio', text: 'Text' } as const

export const uploadImage = (file: File, onProgress: (share: number) => void, signal?: AbortSignal): Promise<Asset> =>
  uploadFile('image', file, onProgress, signal)

/**
 * Uploads one file. `onProgress` gets the sent share from 0 to 1. Uses XMLHttpRequest, because `fetch` reports no
 * upload progress.
 */
export function uploadFile(
  kind: FileKind,
  file: File,
  onProgress: (share: number) => void,
  signal?: AbortSignal,
): Promise<Asset> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `/api/general/asset/file/${kind}`)
    request.setRequestHeader('X-XSRF-TOKEN', xsrfToken())
    request.responseType = 'text'
    request.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total)
    request.onload = () => {
      const body = parse(request.responseText)
      if (request.status === 201) resolve(body as Asset)
      else {
        const error = new ApiError(request.status, body as object, retryAfter(request.getResponseHeader('Retry-After')))
        checkSessionEnd(error.status, error.code)
        reject(error)
      }
    }
    request.onerror = () => {
      noteFailedRequest()
      reject(new ApiError(0))
    }
    request.onabort = () => reject(new DOMException('upload aborted', 'AbortError'))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    const form = new FormData()
    form.append('json', JSON.stringify({ name: file.name, kind: KIND_WORD[kind] }))
    form.append(kind, file, file.name)
    request.send(form)
  })
}

/** Uploads a picture for a text. It stays private to its author until the server publishes it with the text. */
export async function uploadForText(file: File): Promise<Asset> {
  const asset = await uploadImage(file, () => undefined)
  await api.POST('/api/general/input-asset', { body: { asset: asset._id, isPrivate: true } })
  return asset
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
