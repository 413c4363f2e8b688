// Some clients at once, each the official JavaScript SDK of Comfy API v2, unchanged, whose entry is the first argument. They
// do what those of crowd.py do, with the same variables of the environment and the same result.
import { readFile, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'

const { Comfy } = await import(pathToFileURL(process.argv[2]).href)
const ENDED = ['succeeded', 'canceled', 'failed', 'expired']
/** Seconds until the last job has ended after its client gave up. */
const PATIENCE = 60
const SAMPLE = /^verdigraph_http_requests_total\{(.*)\} ([0-9.e+]+)$/gm

const keys = (await readFile(process.env.CROWD_KEYS, 'utf8')).trim().split(/\s+/)
const [clients, jobs] = [process.env.CROWD_CLIENTS, process.env.CROWD_JOBS].map(Number)

class Counts extends Map {
  add(name, count) {
    this.set(name, (this.get(name) ?? 0) + count)
  }

  /** What has been counted since. */
  since(before) {
    const grown = [...this].map(([name, count]) => [name, count - (before.get(name) ?? 0)])
    return new Counts(grown.filter(([, count]) => count > 0))
  }

  toJSON() {
    return Object.fromEntries(this)
  }
}

/** What the server has answered, by method and route, and by status. */
async function counted() {
  const metrics = await (await fetch(`${process.env.COMFY_BASE_URL}/metrics`)).text()
  const [requests, answers] = [new Counts(), new Counts()]
  for (const [, labels, value] of metrics.matchAll(SAMPLE)) {
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, text]) => [name, text])
    const { method, route, status } = Object.fromEntries(pairs)
    if (!route.startsWith('/api/v2/') && route !== 'given up') continue
    requests.add(`${method} ${route}`, Math.round(Number(value)))
    answers.add(status, Math.round(Number(value)))
  }
  return { requests, answers }
}

const graph = (color) => ({
  1: { class_type: 'EmptyImage', inputs: { width: 16, height: 8, batch_size: 1, color } },
  2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'sdk' } },
})
const accepted = []
const errors = new Counts()

/** Runs the jobs of one client, one after the other. */
async function work(number) {
  const client = new Comfy({ apiKey: keys[number % keys.length] })
  for (let turn = 0; turn < jobs; turn += 1) {
    try {
      const job = await client.submit(client.workflows.fromJson(graph(number * jobs + turn)))
      accepted.push([client, job.id])
      await job.result()
    } catch (error) {
      // Whatever the SDK raises is a result of this run.
      errors.add(`${error.name} ${error.code ?? ''}`.trim(), 1)
    }
  }
}

/** The status of an accepted job after its end. */
async function endOf([client, id]) {
  for (let second = 0; second < PATIENCE; second += 1) {
    const { status } = await client.jobs.get(id)
    if (ENDED.includes(status)) return status
    await new Promise((resume) => setTimeout(resume, 1000))
  }
  return 'active'
}

const before = await counted()
const begun = performance.now()
await Promise.all(Array.from({ length: clients }, (_, number) => work(number)))
const seconds = (performance.now() - begun) / 1000
const after = await counted()
const ended = new Counts()
for (const status of await Promise.all(accepted.map(endOf))) ended.add(status, 1)
const wanted = clients * jobs
const phase = {
  name: 'JavaScript',
  clients,
  wanted,
  listed: accepted.length,
  lost: wanted - (ended.get('succeeded') ?? 0),
  seconds,
  requests: after.requests.since(before.requests),
  answers: after.answers.since(before.answers),
  ended,
  errors,
}
await writeFile(process.env.CROWD_RESULT, JSON.stringify([phase]))
