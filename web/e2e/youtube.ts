import { createServer, type Server } from 'node:http'

/** A video that the stand-in knows. */
export const VIDEO = { id: 'dQw4w9WgXcQ', title: 'Silk in twelve nodes', author: 'Verdi Lab' }

// A grey pixel as PNG.
const PREVIEW = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
)

/** A stand-in for YouTube's oEmbed, at the address that the server under test was given. */
export async function startYouTube(): Promise<Server> {
  const base = process.env.VERDIGRAPH_VIDEOS_BASE_URL
  if (!base) throw new Error('VERDIGRAPH_VIDEOS_BASE_URL is not set')
  const server = createServer((request, response) => {
    const asked = new URL(request.url ?? '/', base)
    if (asked.pathname.startsWith('/vi/')) {
      response.writeHead(200, { 'content-type': 'image/png' }).end(PREVIEW)
      return
    }
    const known = asked.pathname === '/oembed' && asked.searchParams.get('url')?.includes(VIDEO.id)
    if (!known) {
      response.writeHead(404).end('Not Found')
      return
    }
    const body = {
      type: 'video',
      version: '1.0',
      provider_name: 'YouTube',
      title: VIDEO.title,
      author_name: VIDEO.author,
      author_url: 'https://www.youtube.com/@verdilab',
      width: 200,
      height: 113,
      thumbnail_url: `${base}/vi/${VIDEO.id}/hqdefault.jpg`,
      thumbnail_width: 480,
      thumbnail_height: 360,
      html: '<iframe src="https://evil.example/" onload="alert(1)"></iframe>',
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((ready) => server.listen(Number(new URL(base).port), 'localhost', ready))
  return server
}
