import createClient, { type Middleware } from 'openapi-fetch'
import { noteNoAnswer } from './connection'
import { ApiError, errorFromResponse } from './errors'
import type { paths } from './schema'
import { hearRefusal } from './session-end'

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
    if (response.ok) return
    const error = await errorFromResponse(response)
    hearRefusal(error.status, error.code)
    throw error
  },
  onError({ error }) {
    if (error instanceof DOMException && error.name === 'AbortError') return error
    noteNoAnswer()
    return new ApiError(0, { code: 'NETWORK', message: error instanceof Error ? error.message : String(error) })
  },
}

/**
 * The typed client of the whole REST API. The page that asks is named by the browser, in `Referer`: a header of our own
 * would keep requests from what was preloaded for them. Every answer that is not 2xx is thrown as an `ApiError`.
 */
export const api = createClient<paths>({
  baseUrl: window.location.origin,
  credentials: 'same-origin',
  fetch: (request) => globalThis.fetch(request),
})
api.use(session)

type Answer = Promise<{ data?: unknown; response: Response }>
type DataOf<A extends Answer> = NonNullable<Awaited<A>['data']>

/**
 * Unwraps an answer of the client; the middleware has thrown already if there is no data. `T` is one of the narrower
 * types of `types.ts` where the description is too wide, and the described type otherwise.
 */
export async function data<T = never, A extends Answer = Answer>(
  answer: A,
): Promise<[T] extends [never] ? DataOf<A> : T> {
  const { data: body, response } = await answer
  if (body === undefined)
    throw new ApiError(response.status, { code: 'EMPTY_ANSWER', message: 'the answer has no body' })
  return body as [T] extends [never] ? DataOf<A> : T
}

/** Any address of the API, for the few calls that its description does not have yet. */
export const anyPath = api as unknown as {
  GET: (path: string, init?: object) => Answer
  POST: (path: string, init?: object) => Answer
}
