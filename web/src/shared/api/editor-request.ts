import { xsrfToken } from './client'
import { noteFailedRequest } from './connection'
import { ApiError, errorFromResponse } from './errors'
import { checkSessionEnd } from './session-end'

/**
 * Sends a request to ComfyUI's API, which is not in the OpenAPI description. Its endpoints answer with 200; any other
 * status is thrown.
 */
export async function editorRequest(path: string, init: RequestInit): Promise<Response> {
  const url = new URL(`/comfyui-editor/api/${path}`, window.location.origin)
  const response = await fetch(new Request(url, { ...init, credentials: 'same-origin' })).catch((error: unknown) => {
    if (init.signal?.aborted) throw error
    noteFailedRequest()
    throw new ApiError(0)
  })
  if (response.status === 200) return response
  const error = await errorFromResponse(response)
  checkSessionEnd(error.status, error.code)
  throw error
}

/** Sends a picture to an upload endpoint. */
export async function uploadToEditor(endpoint: 'image' | 'mask', body: FormData): Promise<unknown> {
  const headers = { 'X-XSRF-TOKEN': xsrfToken() }
  return (await editorRequest(`upload/${endpoint}`, { method: 'POST', body, headers })).json()
}
