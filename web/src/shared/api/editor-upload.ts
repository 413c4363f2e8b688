import { xsrfToken } from './client'
import { noteFailedRequest } from './connection'
import { ApiError, errorFromResponse } from './errors'
import { checkSessionEnd } from './session-end'

/** Sends a picture to an upload endpoint of ComfyUI's API, which is not in the OpenAPI description. */
export async function uploadToEditor(endpoint: 'image' | 'mask', body: FormData): Promise<unknown> {
  const url = new URL(`/comfyui-editor/api/upload/${endpoint}`, window.location.origin)
  const headers = { 'X-XSRF-TOKEN': xsrfToken() }
  const request = new Request(url, { method: 'POST', body, headers, credentials: 'same-origin' })
  const response = await fetch(request).catch(() => {
    noteFailedRequest()
    throw new ApiError(0)
  })
  if (response.status !== 200) {
    const error = await errorFromResponse(response)
    checkSessionEnd(error.status, error.code)
    throw error
  }
  return response.json()
}
