// The comparison: a static file server with the files of the editor, and with answers that were recorded from the
// server under test. It has everything in memory.
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const EDITOR = '/comfyui-editor/'
const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
/** Of the end of a WebSocket handshake. */
const HANDSHAKE = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** A file of the editor in the smallest form that browsers take. */
function fileOf(folder, path, policy) {
  const place = join(folder, normalize(path) === '/' ? 'index.html' : normalize(path))
  if (!place.startsWith(folder) || !statSync(place, { throwIfNoEntry: false })?.isFile()) return null
  const isCompressed = statSync(`${place}.br`, { throwIfNoEntry: false }) !== undefined
  const headers = {
    'content-type': TYPES[extname(place)] ?? 'application/octet-stream',
    'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    'content-security-policy': policy,
    ...(isCompressed && { 'content-encoding': 'br' }),
  }
  return { status: 200, headers, body: readFileSync(isCompressed ? `${place}.br` : place) }
}

/** A recorded answer, compressed as the server had compressed it. */
function answerOf({ status, headers, body }) {
  const compress = { gzip: gzipSync, br: brotliCompressSync }[headers['content-encoding']]
  const kept = ['content-type', 'content-encoding', 'cache-control', 'etag', 'vary']
  const found = Object.fromEntries(kept.filter((name) => headers[name]).map((name) => [name, headers[name]]))
  return { status, headers: found, body: compress ? compress(body) : body }
}

/** A text frame of a WebSocket, as a server sends it. */
function frame(text) {
  const bytes = Buffer.from(text)
  const head = bytes.length < 126 ? [0x81, bytes.length] : [0x81, 126, bytes.length >> 8, bytes.length & 255]
  return Buffer.concat([Buffer.from(head), bytes])
}

/**
 * Serves `folder` below the editor's address, and the recorded answers; `greeting` is what the socket says first.
 * `missing` has the addresses that were asked for and not recorded.
 */
export async function serveRecorded({ folder, answers, requests, greeting, policy }) {
  const absent = new Set(requests.filter(({ status }) => status === 404).map(({ path }) => path))
  const missing = new Set()
  const ready = new Map([...answers].map(([address, answer]) => [address, answerOf(answer)]))
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost')
    let found = request.method === 'GET' ? ready.get(request.url) : { status: 200, headers: {}, body: '{}' }
    if (!found && pathname.startsWith(EDITOR) && !pathname.startsWith(`${EDITOR}api/`)) {
      found = fileOf(folder, pathname.slice(EDITOR.length - 1), policy)
      if (found) ready.set(request.url, found)
    }
    if (!found && !absent.has(request.url)) missing.add(request.url)
    const { status, headers, body } = found ?? { status: 404, headers: {}, body: '' }
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
    response.end(body)
  })
  const sockets = new Set()
  server.on('upgrade', (request, socket) => {
    sockets.add(socket)
    const key = createHash('sha1')
      .update(request.headers['sec-websocket-key'] + HANDSHAKE)
      .digest('base64')
    const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade']
    socket.write(`${[...head, `Sec-WebSocket-Accept: ${key}`].join('\r\n')}\r\n\r\n`)
    for (const text of greeting) socket.write(frame(text))
    socket.on('error', () => {}).resume()
  })
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { url: `http://localhost:${server.address().port}`, missing, close }
}
