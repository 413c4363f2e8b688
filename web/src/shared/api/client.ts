import createClient, { type Middleware } from 'openapi-fetch'
import { quoteBigIntegers } from '../lib/big-integers'
import { noteFailedRequest } from './connection'
import { ApiError, errorFromResponse } from './errors'
import type { paths } from './schema'
import { checkSessionEnd } from './session-end'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** The XSRF token, which the server sets beside the session cookie and every unsafe request repeats. */
export function xsrfToken(cookies: string = document.cookie): string {
  const pair = cookies.split('; ').find((c) => c.startsWith('XSRF-TOKEN='))
  return pair ? decodeURIComponent(pair.slice('XSRF-TOKEN='.length)) : ''
}

/** Parses integers beyond the safe range as strings of their digits. */
function keepDigits(response: Response): undefined {
  if (!response.headers.get('content-type')?.includes('json')) return
  const text = async () => quoteBigIntegers(await Response.prototype.text.call(response))
  Object.assign(response, { text, json: async () => JSON.parse(await text()) })
}

const session: Middleware = {
  onRequest({ request }) {
    if (!SAFE.has(request.method)) request.headers.set('X-XSRF-TOKEN', xsrfToken())
    return request
  },
  async onResponse({ response }) {
    if (response.ok) return keepDigits(response)
    const error = await errorFromResponse(response)
    checkSessionEnd(error.status, error.code)
    throw error
  },
  onError({ error }) {
    if (error instanceof DOMException && error.name === 'AbortError') return error
    noteFailedRequest()
    return new ApiError(0, { code: 'NETWORK', message: error instanceof Error ? error.message : String(error) })
  },
}

/**
 * The typed client of the REST API. It throws every response that is not 2xx as an `ApiError`. It sets no headers on
 * reads: a custom header would keep them from using preloaded responses.
 */
export const api = createClient<paths>({
  baseUrl: window.location.origin,
  credentials: 'same-origin',
  fetch: (request) => globalThis.fetch(request),
})
api.use(session)

type Answer = Promise<{ data?: unknown; response: Response }>
export type DataOf<A extends Answer> = NonNullable<Awaited<A>['data']>

/**
 * Unwraps a response. The middleware has already thrown errors. `T` may be a narrower type of `types.ts` where the
 * schema is too wide; any other type does not compile.
 */
export async function data<A extends Answer, T extends DataOf<A> = DataOf<A>>(answer: A): Promise<T> {
  const { data: body, response } = await answer
  if (body === undefined)
    throw new ApiError(response.status, { code: 'EMPTY_ANSWER', message: 'the answer has no body' })
  return body as T
}

/** A response reduced by the `select` parameter, which the schema cannot express. The caller gives its type. */
export const selected = <T>(answer: Answer): Promise<T> => data<Answer, T & {}>(answer)
