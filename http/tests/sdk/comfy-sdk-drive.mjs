// Drives the official JavaScript SDK of Comfy API v2, whose entry is the first argument, against the server at
// COMFY_BASE_URL.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { pathToFileURL } from 'node:url'

const sdk = await import(pathToFileURL(process.argv[2]).href)
const apiKey = process.env.COMFY_API_KEY
/** How long an answer, or the end of a job, may take. Only what hangs takes as long. */
const timeoutMs = 120_000
const client = new sdk.Comfy({ apiKey, timeoutMs })

const graph = (colour) => ({
  1: { class_type: 'EmptyImage', inputs: { width: 16, height: 8, batch_size: 1, color: colour } },
  2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'sdk' } },
})
const workflow = (graph) => client.workflows.fromJson(graph)

/** Checks that a call fails with this error and code. */
async function refused(error, code, call) {
  await assert.rejects(call, (raised) => {
    assert.ok(raised instanceof error, `${raised}`)
    assert.equal(raised.code, code)
    return true
  })
}

// Submit, events, outputs.
const job = await client.submit(workflow(graph(Date.now() % 0xff_ff_ff)))
const told = []
// The stream itself has no limit: heartbeats keep it open.
const hung = setTimeout(() => {
  throw new Error(`the events of ${job.id} do not end: ${JSON.stringify(told)}`)
}, timeoutMs)
for await (const event of job.events()) told.push(event)
clearTimeout(hung)
const events = JSON.stringify(told)
assert.equal(told[0].kind, 'statusChange', events)
assert.equal(told.at(-1).status, 'succeeded', events)
await job.result()
const [output] = job.getOutputs('2')
const picture = await output.toBytes()
assert.deepEqual([...picture.slice(0, 4)], [0x89, 0x50, 0x4e, 0x47])
assert.deepEqual(await output.toBytes({ range: [0, 3] }), picture.slice(0, 4))
assert.match((await output.getDownloadUrl()).url, /^http/)
assert.equal((await job.getWorkflow()).format, 'api')
assert.equal((await client.jobs.get(job.id)).status, 'succeeded')

// An asset by its bytes, and as the input of a graph.
const asset = client.assets.fromBytes(picture, { filename: 'photo.png' })
const load = workflow({
  1: { class_type: 'LoadImage', inputs: { image: '' } },
  2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'sdk' } },
})
load.setInput('1', 'image', asset)
const loaded = await client.run(load, { timeoutMs })
assert.equal(loaded.status, 'succeeded')
assert.ok(asset.id)

// Cancel, also when it is too late.
const canceled = await client.submit(workflow(graph(1)))
await canceled.cancel()
await canceled.cancel()
await canceled.wait(timeoutMs)
assert.match(canceled.status, /^(canceled|succeeded)$/)

// A key is replayed, and belongs to one graph.
const key = randomUUID()
const first = await client.submit(workflow(graph(2)), { idempotencyKey: key })
const again = await client.submit(workflow(graph(2)), { idempotencyKey: key })
assert.equal(again.id, first.id)
await refused(sdk.IdempotencyKeyReuse, 'idempotency_key_reuse', () =>
  client.submit(workflow(graph(3)), { idempotencyKey: key }),
)

// Typed errors.
const invalid = { 1: { class_type: 'SaveImage', inputs: { filename_prefix: 'a' } } }
await refused(sdk.InvalidWorkflow, 'invalid_workflow', () => client.submit(workflow(invalid)))
const unknown = { __type: 'core/ASSET', info: { id: randomUUID() } }
await refused(sdk.MissingAsset, 'missing_asset', () =>
  client.submit(workflow({ 1: { class_type: 'LoadImage', inputs: { image: unknown } } })),
)
await refused(sdk.NotFound, 'job_not_found', () => client.jobs.get(randomUUID()))
await refused(sdk.NotFound, 'asset_not_found', () => client.assets.get(randomUUID()))
const stranger = new sdk.Comfy({ apiKey: 'vg_wrong', timeoutMs })
await refused(sdk.Unauthorized, 'unauthorized', () => stranger.jobs.get(randomUUID()))
