import type { CDPSession, Page, Request, Route } from '@playwright/test'

type Address = Parameters<Page['route']>[0]
type Handler = Parameters<Page['route']>[1]
type Answer = NonNullable<Parameters<Route['fulfill']>[0]>
type Mock = { address: string | RegExp; pattern: RegExp; handler: Handler; left: number }
type Paused = {
  requestId: string
  request: {
    url: string
    method: string
    headers: Record<string, string>
    postData?: string
    hasPostData?: boolean
  }
}

/** Addresses of the API and of the node editor's state, in the wildcards of the debugger. */
const CALLS = ['*/api/*', '*/installed.json']
/** Headers of an answer that describe its transfer, which a mocked answer does not repeat. */
const TRANSFER = /^(content-(length|encoding)|transfer-encoding|connection|set-cookie)$/i

/**
 * Whether everything that an address matches is among `CALLS`, in wildcards that `patternOf` knows. Another address would
 * be a mock that never answers, so it goes to `page.route`.
 */
function isCall(address: Address): address is string | RegExp {
  if (typeof address === 'string') return /^\*\*[^{}\\]*$/.test(address) && /\/api\/|\/installed\.json$/.test(address)
  if (!(address instanceof RegExp)) return false
  const source = address.source.replaceAll('\\/', '/')
  return source.startsWith('/api/') && !source.replaceAll(/\([^()]*\)/g, '').includes('|')
}

/** The pattern of a glob: `**` is any text, `*` any text without a slash. A regular expression forgets its last match. */
function patternOf(address: string | RegExp): RegExp {
  if (address instanceof RegExp) return new RegExp(address.source, address.flags.replaceAll(/[gy]/g, ''))
  const literal = (text: string) => text.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
  const parts = address.split('**').map((part) => part.split('*').map(literal).join('[^/]*'))
  return new RegExp(`^${parts.join('.*')}$`)
}

/**
 * Mocks API calls of a page by the debugger instead of by `page.route`, with the same meaning. `page.route` turns off the
 * browser's cache and pauses every request, so that each page loads and compiles its scripts again. A page that mocks
 * other addresses uses `page.route` for all of them, because of two interceptors each hides requests from the other.
 * Handlers may read the address, method, headers and body of a request, and continue it unchanged. What they cannot do
 * fails the test.
 */
export function keepCache(page: Page): Page {
  const route = page.route.bind(page)
  const unroute = page.unroute.bind(page)
  const mocks: Mock[] = []
  let session: Promise<CDPSession> | undefined
  let mocksOnlyCalls = true
  const handOver = async () => {
    mocksOnlyCalls = false
    await (await session)?.send('Fetch.disable')
    for (const { address, handler, left } of mocks.splice(0).reverse()) {
      if (left > 0) await route(address, handler, Number.isFinite(left) ? { times: left } : {})
    }
  }
  const mock = async (address: Address, handler: Handler, options?: { times?: number }): Promise<unknown> => {
    mocked.add(page)
    if (mocksOnlyCalls && !isCall(address)) await handOver()
    if (!mocksOnlyCalls || !isCall(address)) return route(address, handler, options)
    // The newest mock of an address answers.
    mocks.unshift({ address, pattern: patternOf(address), handler, left: options?.times ?? Number.POSITIVE_INFINITY })
    session ??= listen(page, mocks)
    return session
  }
  page.route = mock as Page['route']
  page.unroute = async (address, handler) => {
    if (!mocksOnlyCalls) return unroute(address, handler)
    const left = mocks.filter((one) => String(one.address) !== String(address))
    mocks.splice(0, mocks.length, ...left)
  }
  return page
}

/** Pages of `keepCache` in which something was mocked, also if it is no longer. */
const mocked = new WeakSet<Page>()
export const isMocked = (page: Page) => mocked.has(page)

/** Whether a request is over: the page was closed or has canceled it, so that it needs no answer. */
const isOver = (error: unknown) => /closed|disposed|Invalid InterceptionId/.test(String(error))

async function listen(page: Page, mocks: Mock[]): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  session.on('Fetch.requestPaused', (paused) => {
    answer(page, session, [...mocks], paused).catch((error: unknown) => {
      // The answer of the server may arrive after the page was closed.
      if (!page.isClosed() && !isOver(error)) throw error
    })
  })
  await session.send('Fetch.enable', { patterns: CALLS.map((urlPattern) => ({ urlPattern })) })
  return session
}

/** Answers a request by the first mock of its address, or lets it pass. */
async function answer(page: Page, session: CDPSession, mocks: Mock[], paused: Paused): Promise<void> {
  const { requestId } = paused
  const { url, method, headers, postData, hasPostData } = paused.request
  // A request that the page has canceled needs no answer.
  const pass = () => session.send('Fetch.continueRequest', { requestId }).catch(() => undefined)
  const at = mocks.findIndex(({ pattern, left }) => left > 0 && pattern.test(url))
  const mock = mocks[at]
  if (!mock) {
    await pass()
    return
  }
  mock.left -= 1
  const request = {
    url: () => url,
    method: () => method,
    headers: () => headers,
    postData: () => postData ?? null,
    postDataJSON: () => JSON.parse(postData ?? 'null') as unknown,
  } as Request
  const fetch = () => {
    if (hasPostData && postData === undefined) throw new Error(`the body of ${method} ${url} is not known`)
    return page.context().request.fetch(url, { method, headers, ...(postData !== undefined && { data: postData }) })
  }
  const route = {
    request: () => request,
    fetch: unchanged(fetch),
    fulfill: (given: Answer = {}) => fulfill(session, requestId, given),
    fallback: unchanged(() => answer(page, session, mocks.slice(at + 1), paused)),
    continue: unchanged(pass),
    abort: () => session.send('Fetch.failRequest', { requestId, errorReason: 'Failed' }).catch(() => undefined),
  } as unknown as Route
  await mock.handler(route, request)
}

/** Refuses changes of a request, which would be lost. */
const unchanged =
  <Result>(act: () => Result) =>
  (changes?: object): Result => {
    if (changes) throw new Error('a mock of an API call cannot change its request')
    return act()
  }

async function fulfill(session: CDPSession, requestId: string, given: Answer): Promise<void> {
  const { response, json, status, contentType } = given
  if (given.path !== undefined) throw new Error('a mock of an API call cannot answer with a file')
  const kept = Object.entries(response?.headers() ?? {}).filter(([name]) => !TRANSFER.test(name))
  const headers: Record<string, string> = { ...Object.fromEntries(kept), ...given.headers }
  const type = contentType ?? (json === undefined ? undefined : 'application/json')
  if (type) headers['content-type'] = type
  const body = json === undefined ? (given.body ?? (await response?.body()) ?? '') : JSON.stringify(json)
  const sent = {
    requestId,
    responseCode: status ?? response?.status() ?? 200,
    responseHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })),
    body: Buffer.from(body).toString('base64'),
  }
  await session.send('Fetch.fulfillRequest', sent)
}
