// Editors that are open without a browser: they send the requests of a real start, and keep its streams open.
import { randomBytes } from 'node:crypto'
import { Agent, get } from 'node:http'

/** Like a browser, which opens six connections to a server. */
const CONNECTIONS = 6

/** Sends a request and reads the answer. The function returned ends a stream. */
function read(url, headers, agent, isStream) {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: isStream ? undefined : agent }, (answer) => {
      const { statusCode } = answer
      const finish = () => resolve({ status: statusCode, end: () => request.destroy() })
      answer.on('error', () => {}).resume()
      if (isStream) finish()
      else answer.on('end', finish)
    })
    request.on('error', (error) => (isStream ? {} : reject(error)))
  })
}

/** Opens a WebSocket as the front end does. */
function connect(url, cookie) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace(/^http/, 'ws'), { headers: { cookie, origin: new URL(url).origin } })
    const features = { supports_preview_metadata: true, supports_manager_v4_ui: true }
    socket.onopen = () => {
      socket.send(JSON.stringify({ type: 'feature_flags', data: features }))
      resolve(() => socket.close())
    }
    socket.onerror = () => reject(new Error(`${url} was refused`))
  })
}

/** Opens an editor for a user. `recording` is what a browser had sent for the flow `recording.flow`. */
export async function openPlainEditor(person, recording) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const own = (path) => person.base + path.replaceAll(recording.flow, person.flow)
  const base = { cookie: person.cookie, 'accept-encoding': 'gzip, deflate, br', 'accept-language': 'en' }
  const waiting = [...recording.requests]
  const [ends, refused] = [[], []]
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { path, isStream, accept, status } = next
      const answer = await read(own(path), { ...base, accept }, agent, isStream)
      if (isStream) ends.push(answer.end)
      if (answer.status !== status) refused.push(`${path}: ${answer.status}`)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  for (const path of recording.sockets) {
    const named = path.replace(/clientId=[^&]*/, `clientId=${randomBytes(16).toString('hex')}`)
    ends.push(await connect(own(named), person.cookie))
  }
  const close = () => {
    for (const end of ends) end()
    agent.destroy()
  }
  return { close, refused }
}
