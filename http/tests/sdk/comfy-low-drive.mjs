// Makes the calls of comfy_shapes.py with the protocol layer of the official JavaScript SDK of Comfy API v2, whose entry is
// the first argument. Standard input tells the server and what to send. Each line of the output has an answer, or the events
// of a stream. Answers to successful calls are checked by the schemas of the SDK, too.
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'

const { ApiError, ComfyLow, schemas } = await import(pathToFileURL(process.argv[2]).href)
const given = JSON.parse(await text(process.stdin))
const { base, key, name, hash, other, unknown } = given
const picture = new Blob([Buffer.from(given.picture, 'base64')], { type: 'image/png' })

let last
/** Fetches as the SDK does, and keeps the answer beside it. */
async function kept(url, init) {
  const response = await fetch(url, init)
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && init.method !== 'HEAD'
  last = { status: response.status, json: isJson ? response.clone() : null }
  return response
}

const low = new ComfyLow(base, key ?? undefined, { fetch: kept, timeoutMs: given.patience * 1000 })
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`)

/** Makes a call and tells its answer, also if it is an error. */
async function note(name, call, schema) {
  let result
  try {
    result = await call()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
  const { status, json } = last
  const body = json ? JSON.parse((await json.text()) || 'null') : null
  const misfit = schema && status < 300 ? schemas[schema].safeParse(body).error?.message : undefined
  say({ name, status, body, misfit: misfit ?? null })
  return result
}

async function eventsOf(job) {
  const events = []
  for await (const { event, data } of low.getJobEvents(job)) events.push({ event, data })
  return events
}

/** Waits until the row of a job has its end. */
async function waitFor(job) {
  const limit = performance.now() + given.patience * 1000
  for (;;) {
    const { status } = await low.getJob(job)
    if (given.ended.includes(status)) return
    if (performance.now() > limit) throw new Error(`${job} does not end: it is ${status}`)
    await new Promise((resume) => setTimeout(resume, 200))
  }
}

const upload = (expectedHash) => low.postAssets(picture, 'image/png', name, { expectedHash })
const content = async (asset, range) => (await low.getAssetContent(asset, { range })).arrayBuffer()
const reference = (asset) => ({ __type: 'core/ASSET', info: { id: asset } })
const loadImage = (image) => ({
  1: { class_type: 'LoadImage', inputs: { image } },
  2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'sdk' } },
})

await note('head of unknown bytes', () => low.headAssetByHash(hash))
await note('wrong hash', () => upload(other))
const asset = await note('uploaded', () => upload(hash), 'zAsset')
await note('uploaded again', () => upload(), 'zAsset')
await note('head', () => low.headAssetByHash(hash))
await note('from hash', () => low.assetFromHash(hash), 'zAsset')
await note('from unknown hash', () => low.assetFromHash(other))
await note('asset', () => low.getAsset(asset.id), 'zAsset')
await note('asset content', () => content(asset.id))
await note('unknown asset', () => low.getAsset(unknown))

const graph = loadImage(reference(asset.id))
const idempotencyKey = crypto.randomUUID()
const job = await note('submitted', () => low.postJobs(graph, { idempotencyKey }), 'zJob')
let events = await eventsOf(job.id)
await waitFor(job.id)
const tellsEnd = events.some(({ event, data }) => event === 'status' && given.ended.includes(data.status))
// As in comfy_shapes.py: the proxy's stream may end with the status before the end.
if (key === null && !tellsEnd) events = await eventsOf(job.id)
say({ events })
const ended = await note('job', () => low.getJob(job.id), 'zJob')
await note('workflow', () => low.getJobWorkflow(job.id), 'zJobWorkflowResponse')
await note('list', () => low.request('GET', '/jobs?limit=1'))
await note('canceled after its end', () => low.cancelJob(job.id), 'zJob')
await note('key again', () => low.postJobs(graph, { idempotencyKey }))
const [output] = ended.outputs
await note('output content', () => content(output.id))
await note('part of an output', () => content(output.id, [0, 3]))
await note('output as asset', () => low.getAsset(output.id), 'zAsset')

const invalid = { 1: { class_type: 'SaveImage', inputs: { filename_prefix: 'a' } } }
const sent = (json) => () => low.request('POST', '/jobs', { json })
await note('invalid graph', () => low.postJobs(invalid))
await note('saved format', () => low.postJobs({ nodes: [], links: [], last_node_id: 1 }))
await note('missing asset', () => low.postJobs(loadImage(reference(unknown))))
await note('no graph', sent({}))
await note('reserved', sent({ workflow: invalid, inputs: {} }))
await note('other data', sent({ workflow: {}, extra_data: { a: 1 } }))
await note('unknown job', () => low.getJob(unknown))
await note('unknown workflow', () => low.getJobWorkflow(unknown))
await note('unknown events', () => eventsOf(unknown))
await note('unknown cancel', () => low.cancelJob(unknown))
await note('deleted', () => low.deleteAsset(asset.id))
await note('deleted again', () => low.deleteAsset(asset.id))
