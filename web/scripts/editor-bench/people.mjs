// Users of the server under test, each with a workflow.
import { randomUUID } from 'node:crypto'

const PASSWORD = 'a long enough password'

/** A client that keeps its cookies. */
export class Person {
  cookies = new Map()

  constructor(base) {
    this.base = base
  }

  get cookie() {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  async send(method, path, body) {
    const headers = { cookie: this.cookie, 'x-xsrf-token': decodeURIComponent(this.cookies.get('XSRF-TOKEN') ?? '') }
    if (body !== undefined) headers['content-type'] = 'application/json'
    const answer = await fetch(this.base + path, { method, headers, body: body && JSON.stringify(body) })
    for (const line of answer.headers.getSetCookie()) {
      const [pair] = line.split(';')
      this.cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }

  /** The session for a browser. */
  get state() {
    const { hostname } = new URL(this.base)
    const cookies = [...this.cookies].map(([name, value]) => ({ name, value, domain: hostname, path: '/' }))
    const rest = { expires: -1, httpOnly: false, secure: false, sameSite: 'Lax' }
    return { cookies: cookies.map((cookie) => ({ ...cookie, ...rest })), origins: [] }
  }
}

/** A new user with a workflow of `count` nodes. */
export async function newPerson(base, count) {
  const person = new Person(base)
  await person.send('GET', '/api/auth/me').catch(() => {})
  const email = `editor-${randomUUID()}@example.com`
  const terms = { termsAccepted: true, privacyAccepted: true }
  await person.send('POST', '/api/auth/signup/email-password', { email, password: PASSWORD, name: 'Editor', ...terms })
  const made = await person.send('POST', '/api/general/workflow', { name: 'Measured', prompt: graph(count) })
  person.flow = (await made.json())._id
  return person
}

/** Chains of five nodes. */
function graph(count) {
  const types = ['EmptyImage', 'ImageInvert', 'ImageBlur', 'ImageInvert', 'PreviewImage']
  const values = [[512, 512, 1, 0], [], [3, 1.5], [], []]
  const nodes = Array.from({ length: count }, (_, index) => {
    const place = index % types.length
    const first = { id: index + 1, type: types[place], mode: 0, order: index, flags: {}, properties: {} }
    return {
      ...first,
      pos: [place * 360, Math.floor(index / types.length) * 320],
      size: [315, 130],
      inputs: place === 0 ? [] : [{ name: place === 4 ? 'images' : 'image', type: 'IMAGE', link: index }],
      outputs: place === 4 ? [] : [{ name: 'IMAGE', type: 'IMAGE', links: [index + 1] }],
      widgets_values: values[place],
    }
  })
  const starts = nodes.slice(0, -1).filter((_, index) => index % types.length !== 4)
  const links = starts.map(({ id }) => [id, id, 0, id + 1, 0, 'IMAGE'])
  const rest = { groups: [], config: {}, extra: {}, version: 0.4 }
  return { workflow: { last_node_id: count, last_link_id: count, nodes, links, ...rest }, output: {} }
}
