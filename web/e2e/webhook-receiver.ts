import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'

export type Message = { id: string; headers: Record<string, string>; body: string }

/** In seconds. The server would repeat a delivery by itself after five, in the middle of a slow test. */
const RETRY_AFTER = '600'

/**
 * A receiver of webhooks on this machine, which answers with these statuses in turn, then with the last. What it refuses
 * is sent again when it is asked for.
 */
export async function startReceiver(statuses: number[]) {
  const messages: Message[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const status = statuses[messages.length] ?? statuses.at(-1) ?? 200
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      messages.push({ id: headers['webhook-id'] ?? '', headers, body: Buffer.concat(chunks).toString() })
      const later = status < 300 ? {} : { 'retry-after': RETRY_AFTER }
      response.writeHead(status, later).end(`answer ${messages.length}`)
    })
  })
  await new Promise<void>((ready) => server.listen(0, 'localhost', ready))
  const { port } = server.address() as AddressInfo
  return { url: `http://localhost:${port}/hook`, messages, stop: () => server.close() }
}

/** Verifies a message with the public JavaScript library of Standard Webhooks; throws where it is not signed. */
export const verifyInJavaScript = ({ headers, body }: Message, secret: string): unknown =>
  new Webhook(secret).verify(body, headers)

const TOOLS = join(import.meta.dirname, '../../.tools/webhooks/bin/python')
const SCRIPT = `
import json, sys
from standardwebhooks import Webhook
given = json.load(sys.stdin)
Webhook(given["secret"]).verify(given["body"], given["headers"])
`

/** Verifies a message with the public Python library; throws where it is not signed. */
export function verifyInPython({ headers, body }: Message, secret: string): void {
  if (!existsSync(TOOLS)) throw new Error('the Python library of webhooks is missing: make test installs it')
  const input = JSON.stringify({ headers, body, secret })
  const { status, stderr } = spawnSync(TOOLS, ['-c', SCRIPT], { input, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}
