import createClient, { type Middleware } from 'openapi-fetch'
import { ApiError, errorFromResponse } from './errors'
import type { paths } from './schema'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** The token that the server sets beside the session; it is echoed on every unsafe request. */
export function xsrfToken(cookies: string = document.cookie): string {
  const pair = cookies.split('; ').find((c) => c.startsWith('XSRF-TOKEN='))
  return pair ? decodeURIComponent(pair.slice('XSRF-TOKEN='.length)) : ''
}

const session: Middleware = {
  onRequest({ request }) {
    if (!SAFE.has(request.method)) request.headers.set('X-XSRF-TOKEN', xsrfToken())
    return request
  },
  async onResponse({ response }) {
    if (!response.ok) throw await errorFromResponse(response)
  },
  onError({ error }) {
    if (error instanceof DOMException && error.name === 'AbortError') return error
    return new ApiError(0, { code: 'NETWORK', message: error instanceof Error ? error.message : String(error) })
  },
}

/** The typed client of the whole REST API. Every answer that is not 2xx is thrown as an `ApiError`. */
export const api = createClient<paths>({
  baseUrl: window.location.origin,
  credentials: 'same-origin',
  fetch: (request) => globalThis.fetch(request),
})
api.use(session)

/** Unwraps an answer of the client; the middleware has thrown already if there is no data. */
export async function data<T>(answer: Promise<{ data?: T; response: Response }>): Promise<T> {
  const { data: body, response } = await answer
  if (body === undefined)
    throw new ApiError(response.status, { code: 'EMPTY_ANSWER', message: 'the answer has no body' })
  return body
}
