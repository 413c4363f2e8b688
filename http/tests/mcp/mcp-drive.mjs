// Drives the official JavaScript client of the Model Context Protocol, whose entry is the first argument, against the
// server at MCP_URL: lists the tools, runs an app of the demo within a limit and gets its picture, in both eras.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { pathToFileURL } from 'node:url'

const { Client, StreamableHTTPClientTransport } = await import(pathToFileURL(process.argv[2]).href)
const address = new URL(process.env.MCP_URL)
const LIMIT = 1000

async function connected(mode, key = process.env.MCP_KEY) {
  const client = new Client({ name: 'drive', version: '1.0.0' }, { versionNegotiation: { mode } })
  const headers = { Authorization: `Bearer ${key}` }
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }))
  return client
}

/** What a tool returns. */
async function call(client, name, args, options) {
  const result = await client.callTool({ name, arguments: args }, options)
  assert.ok(!result.isError, `${name}: ${JSON.stringify(result.structuredContent)}`)
  return result
}

/** Checks that a tool refuses a call, with this code and field. */
async function refused(client, name, args, code, field) {
  const result = await client.callTool({ name, arguments: args })
  assert.ok(result.isError, `${name} ${JSON.stringify(args)} is not refused`)
  const { error } = result.structuredContent
  assert.equal(error.code, code)
  if (field) assert.equal(error.fields[0].field, field)
  return error
}

/** An app that makes a picture of its defaults. */
async function pictureApp(client) {
  const { apps } = (await call(client, 'search_apps', { makes: 'image', limit: 20 })).structuredContent
  for (const { app_id, works_now } of apps) {
    const app = (await call(client, 'get_app', { app_id })).structuredContent
    if (works_now !== false && app.inputs.required.length === 0) return app
  }
  throw new Error('the demo has no app that runs with its defaults')
}

async function drive(mode, era) {
  const client = await connected(mode)
  assert.equal(client.getProtocolEra(), era)
  const { tools } = await client.listTools()
  assert.ok(tools.length >= 12 && tools.every((tool) => tool.description && tool.inputSchema.type === 'object'))
  // The client checks each result by the schema, also those of refusals.
  assert.ok(tools.every((tool) => tool.outputSchema.type === 'object'))

  const { app_id, inputs } = await pictureApp(client)
  const quoted = (await call(client, 'quote', { app_id, max_credits: LIMIT })).structuredContent
  assert.ok(quoted.price.most_credits <= LIMIT)
  const told = []
  const run = { app_id, max_credits: LIMIT, wait_s: 50, idempotency_key: randomUUID() }
  let result = await call(client, 'run_app', run, { onprogress: (progress) => told.push(progress.progress) })
  const { job_id } = result.structuredContent
  while (['queued', 'running'].includes(result.structuredContent.status)) {
    result = await call(client, 'wait_for_job', { job_id })
  }
  assert.equal(result.structuredContent.status, 'succeeded')
  assert.ok(result.structuredContent.credits_used <= LIMIT)
  assert.ok(told.length > 0, 'no progress was sent')
  assert.equal((await call(client, 'run_app', run)).structuredContent.job_id, job_id, 'the key made another job')

  const { content, structuredContent } = await call(client, 'get_outputs', { job_id })
  const picture = content.find((item) => item.type === 'image')
  assert.ok(picture.mimeType.startsWith('image/') && Buffer.from(picture.data, 'base64').length > 0)
  const file = await fetch(structuredContent.outputs.find((output) => output.kind === 'image').url)
  assert.equal(file.status, 200)

  // Over budget, wrong inputs, foreign ids.
  const error = await refused(client, 'run_app', { app_id, max_credits: 0 }, 'VALIDATION_FAILED', 'max_credits')
  assert.deepEqual([error.fields[0].given, error.fields[0].allowed.minimum], [0, 1])
  await refused(client, 'run_app', { app_id }, 'VALIDATION_FAILED', 'max_credits')
  const wrong = { app_id, inputs: { no_such_input: 1 }, max_credits: LIMIT }
  const { fields } = await refused(client, 'run_app', wrong, 'VALIDATION_FAILED', 'inputs.no_such_input')
  assert.deepEqual(fields[0].allowed.enum, Object.keys(inputs.properties))
  await refused(client, 'get_job', { job_id: randomUUID() }, 'NOT_FOUND', 'job_id')
  const graph = { 1: { class_type: 'NoSuchNode', inputs: {} } }
  await refused(client, 'submit_workflow', { workflow: graph, max_credits: LIMIT }, 'INVALID_PROMPT')
  await client.close()
}

await drive('legacy', 'legacy')
await drive({ pin: '2026-07-28' }, 'modern')
await assert.rejects(connected('legacy', 'vg_wrong'))
