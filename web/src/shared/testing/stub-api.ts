import { vi } from 'vitest'

type Answer = { status?: number; body?: unknown; headers?: Record<string, string> }
type Handler = Answer | ((request: Request) => Answer | Promise<Answer>)

/** Answers requests by `METHOD /path` and records them. A request without a handler fails the test. */
export function stubApi(handlers: Record<string, Handler>) {
  const requests: { method: string; path: string; search: string; body: unknown; headers: Headers }[] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, search } = new URL(request.url)
    // Code is loaded only while the server is reachable, so the health check always succeeds.
    if (pathname === '/api/health' && !handlers['GET /api/health']) return new Response()
    const text = request.method === 'GET' ? '' : await request.clone().text()
    requests.push({
      method: request.method,
      path: pathname,
      search,
      body: text ? JSON.parse(text) : undefined,
      headers: request.headers,
    })
    const handler = handlers[`${request.method} ${pathname}`]
    if (!handler) throw new Error(`no answer prepared for ${request.method} ${pathname}`)
    const { status = 200, body, headers = {} } = typeof handler === 'function' ? await handler(request) : handler
    return new Response(body === undefined ? null : JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    })
  })
  return requests
}
