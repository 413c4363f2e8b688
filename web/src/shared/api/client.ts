import createClient, { type Middleware } from 'openapi-fetch'
import { quoteBigIntegers } from '../lib/big-integers'
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

/** Whole numbers of an answer that no number here holds come as texts of their digits. */
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
export type DataOf<A extends Answer> = NonNullable<Awaited<A>['data']>

/**
 * Unwraps an answer of the client; the middleware has thrown already if there is no data. Where the description is too
 * wide, whoever asks names one of the narrower types of `types.ts` as what they give back; another type than a narrower
 * one of what is described does not compile.
 */
export async function data<A extends Answer, T extends DataOf<A> = DataOf<A>>(answer: A): Promise<T> {
  const { data: body, response } = await answer
  if (body === undefined)
    throw new ApiError(response.status, { code: 'EMPTY_ANSWER', message: 'the answer has no body' })
  return body as T
}

/** An answer that `select` cuts to some fields, which its description cannot tell: whoever asks knows what it asked for. */
export const selected = <T>(answer: Answer): Promise<T> => data<Answer, T & {}>(answer)
