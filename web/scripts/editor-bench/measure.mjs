// Measures how long the node editor takes until its graph is drawn, beside the same front end on a static file server
// with recorded answers, and what open editors cost the server in memory. scripts/editor-bench.sh runs it:
//
//   measure.mjs URL PROCESS FOLDER     the server, the id of its process, the folder of the editor
//
// RUNS is the number of pairs; the medians count. OPEN is the number of editors, of which BROWSERS are real ones.
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { chromium } from 'playwright'
import { openPlainEditor } from './clients.mjs'
import { newPerson } from './people.mjs'
import { serveRecorded } from './recorded.mjs'

const [base, server, folder] = process.argv.slice(2)
if (!folder) throw new Error('measure.mjs URL PROCESS FOLDER')
const count = (name, usual) => Number(process.env[name] ?? usual)
const [RUNS, OPEN, BROWSERS] = [count('RUNS', 11), count('OPEN', 50), count('BROWSERS', 3)]
const BARS = { ratio: 1.5, megabytes: 100 }
const NODES = 60
/** How long the server rests before its memory is read. */
const REST_MS = 10_000
const VIEW = { viewport: { width: 1400, height: 900 } }

/** The editor alone, the same for both servers. */
const HOST = '/editor-bench'
const hostPage = (flow) => `<!doctype html><title>Editor</title>
<iframe src="/comfyui-editor/?flow=${flow}" style="width:1300px;height:800px;border:0"></iframe>`

/** A page that notes when the graph is drawn. */
async function newPage(context) {
  const page = await context.newPage()
  await page.addInitScript(() => {
    addEventListener('message', ({ data }) => {
      if (data.type !== 'editorReady') return
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          window.readyAt = performance.now()
        }),
      )
    })
  })
  return page
}

const drawn = async (page) => {
  await page.waitForFunction(() => window.readyAt !== undefined, undefined, { timeout: 120_000, polling: 20 })
  return page.evaluate(() => window.readyAt)
}

/** Opens the editor alone. */
async function openHost(context, url, flow) {
  const page = await newPage(context)
  await page.route(`**${HOST}`, (route) => route.fulfill({ contentType: 'text/html', body: hostPage(flow) }))
  await page.goto(url + HOST)
  return page
}

/** Opens the whole page of the editor. */
async function openWhole(context, url, flow) {
  const page = await newPage(context)
  await page.goto(`${url}/comfyui?flow=${flow}`)
  return page
}

/** The time of one start, each with an empty cache. */
async function time(browser, state, open) {
  const context = await browser.newContext({ ...VIEW, storageState: state })
  try {
    return await drawn(await open(context))
  } finally {
    await context.close()
  }
}

/** Everything that a start asks for, with the answers. */
async function record(browser, person, open) {
  const context = await browser.newContext({ ...VIEW, storageState: person.state })
  const recording = { flow: person.flow, requests: [], sockets: [], answers: new Map(), greeting: [], policy: '' }
  const pathOf = (url) => url.slice(person.base.length)
  const [asked, reading] = [new Set(), []]
  context.on('request', (request) => {
    if (request.url().startsWith(`${person.base}/`) && request.method() === 'GET') asked.add(pathOf(request.url()))
  })
  context.on('response', (response) => {
    const request = response.request()
    const path = pathOf(response.url())
    if (!asked.has(path) || request.method() !== 'GET') return
    const isStream = request.resourceType() === 'eventsource'
    reading.push(
      (async () => {
        const headers = await response.allHeaders()
        const { accept } = await request.allHeaders()
        recording.requests.push({ path, isStream, accept: accept ?? '*/*', status: response.status() })
        if (path.startsWith('/comfyui-editor/?')) recording.policy = headers['content-security-policy'] ?? ''
        if (isStream || response.status() >= 300) return
        const isCall = path.startsWith('/comfyui-editor/api/') || path.startsWith('/api/')
        if (isCall) recording.answers.set(path, { status: response.status(), headers, body: await response.body() })
      })(),
    )
  })
  context.on('page', (page) =>
    page.on('websocket', (socket) => {
      recording.sockets.push(pathOf(socket.url().replace(/^ws/, 'http')))
      socket.on('framereceived', ({ payload }) => recording.greeting.push(String(payload)))
    }),
  )
  await drawn(await open(context))
  // What the page loads after the graph.
  await pause(1500)
  await Promise.all(reading)
  await context.close()
  // A request that the page gave up here may be answered in another start.
  const known = new Set(recording.requests.map(({ path }) => path))
  for (const path of [...asked].filter((one) => !known.has(one))) {
    const { status } = await fetch(person.base + path, { headers: { cookie: person.cookie } })
    recording.requests.push({ path, isStream: false, accept: '*/*', status })
  }
  return recording
}

const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]
const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server}/status`, 'utf8'))[1]) / 1024

/** Cold starts in turn, so that a busy moment of the machine affects all sides. */
async function measureStarts(browser, person) {
  const { flow } = person
  const recording = await record(browser, person, (context) => openHost(context, base, flow))
  const copy = await serveRecorded({ folder, ...recording })
  const sides = {
    server: [person.state, (context) => openHost(context, base, flow)],
    recorded: [undefined, (context) => openHost(context, copy.url, flow)],
    page: [person.state, (context) => openWhole(context, base, flow)],
  }
  const times = { server: [], recorded: [], page: [] }
  for (let run = 0; run <= RUNS; run += 1) {
    const order = Object.keys(sides)
    if (run % 2 === 1) order.reverse()
    for (const side of order) {
      const taken = await time(browser, ...sides[side])
      // The first start of each side fills the caches of the machine.
      if (run > 0) times[side].push(taken)
    }
  }
  copy.close()
  return { ...times, missing: [...copy.missing] }
}

/** The server's memory before, with and after open editors, in MiB. */
async function measureMemory(browser, person) {
  const recording = await record(browser, person, (context) => openWhole(context, base, person.flow))
  const people = []
  for (let index = 0; index < OPEN; index += 1) people.push(await newPerson(base, NODES))
  await pause(REST_MS)
  const before = memory()
  const contexts = []
  for (const real of people.slice(0, BROWSERS)) {
    const context = await browser.newContext({ ...VIEW, storageState: real.state })
    contexts.push(context)
    await drawn(await openWhole(context, base, real.flow))
  }
  const editors = []
  for (const plain of people.slice(BROWSERS)) editors.push(await openPlainEditor(plain, recording))
  const refused = editors.flatMap((editor) => editor.refused)
  const most = memory()
  await pause(REST_MS)
  const open = memory()
  for (const context of contexts) await context.close()
  for (const editor of editors) editor.close()
  await pause(REST_MS)
  const { requests, sockets } = recording
  const streams = requests.filter(({ isStream }) => isStream).length + sockets.length
  return { before, most, open, after: memory(), refused, requests: requests.length, streams }
}

const executablePath = process.env.CHROMIUM
const browser = await chromium.launch({
  ...(executablePath && { executablePath }),
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  const person = await newPerson(base, NODES)
  const times = await measureStarts(browser, person)
  const cost = await measureMemory(browser, person)
  const [own, recorded, whole] = [times.server, times.recorded, times.page].map(median)
  const ratio = own / recorded
  const used = Math.max(cost.most, cost.open) - cost.before
  const ms = (values) => values.map((value) => Math.round(value)).join(', ')
  const others = [...times.missing, ...cost.refused]
  const isMet = { ratio: ratio <= BARS.ratio, memory: used < BARS.megabytes, others: others.length === 0 }
  const said = (met) => (met ? 'yes' : '**no**')
  console.log(`| editor with ${NODES} nodes, empty cache | median ms | runs |
| --- | ---: | ---: |
| this server | ${Math.round(own)} | ${ms(times.server)} |
| static files and recorded answers | ${Math.round(recorded)} | ${ms(times.recorded)} |
| the whole page /comfyui | ${Math.round(whole)} | ${ms(times.page)} |

| bar | demanded | measured | met |
| --- | ---: | ---: | --: |
| graph drawn, against static files | ≤ ${BARS.ratio}× | ${ratio.toFixed(2)}× | ${said(isMet.ratio)} |
| memory of ${OPEN} open editors | < ${BARS.megabytes} MiB | ${used.toFixed(1)} MiB | ${said(isMet.memory)} |
| answers that are not as recorded | = 0 | ${others.length} | ${said(isMet.others)} |

- ${OPEN} users with one editor each, ${BROWSERS} in a browser; each sends ${cost.requests} requests and keeps \
${cost.streams} streams open
- MiB before ${cost.before.toFixed(1)}, at most ${cost.most.toFixed(1)}, after a rest ${cost.open.toFixed(1)}, closed \
${cost.after.toFixed(1)}`)
  for (const line of new Set(others)) console.error(line)
  if (Object.values(isMet).includes(false)) process.exitCode = 1
} finally {
  await browser.close()
}
