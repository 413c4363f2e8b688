// Measures the mask editor in Chromium on a picture of 4096 × 4096 pixels, against its bars. scripts/mask-bench.sh runs
// it:
//
//   measure.mjs URL     a server with demo content
//
// A frame costs what the page's main thread does since the one before it: input, drawing and painting. The bars
// are for the time on the clock. The time on the processor, which other programs cannot lengthen, stands beside it.
// Memory is that of the browser's renderers, which needs Linux.
import { readFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { crc32, deflateSync } from 'node:zlib'
import { chromium } from 'playwright'
import { newPerson } from '../editor-bench/people.mjs'

const [base] = process.argv.slice(2)
if (!base) throw new Error('measure.mjs URL')
const SIDE = 4096
const STEPS = 50
const FILLS = 7
const BARS = { medianFrame: 16, worstFrame: 50, fill: 300, megabytes: 400 }
const executablePath = process.env.CHROMIUM
const ARGS = ['--no-sandbox', '--disable-gpu']

function chunk(name, body) {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), body])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** A grey picture: flat in its upper three quarters, noise below. */
function picture() {
  const rows = Buffer.alloc((SIDE + 1) * SIDE, 128)
  for (let y = 0; y < SIDE; y += 1) {
    rows[y * (SIDE + 1)] = 0
    if (y < SIDE * 0.75) continue
    for (let x = 1; x <= SIDE; x += 1) rows[y * (SIDE + 1) + x] = (x * 2654435761 + y * 40503) >>> 24
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(SIDE)
  head.writeUInt32BE(SIDE, 4)
  head.set([8, 0], 8)
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(rows, { level: 1 })), chunk('IEND', Buffer.alloc(0))]
  return { name: 'large.png', mimeType: 'image/png', buffer: Buffer.concat([signature, ...parts]) }
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN
const round = (value) => Math.round(value * 10) / 10

/** A published mini app with a picture field. */
async function pictureApp(request) {
  const { items } = await (await request.get(`${base}/api/public/mini-app?limit=50`)).json()
  for (const { workflowApi } of items) {
    const { rjsf } = await (await request.get(`${base}/api/public/workflow-api/${workflowApi}`)).json()
    if (Object.values(rjsf.uiSchema).some((field) => field?.['ui:widget'] === 'image')) return workflowApi
  }
  throw new Error('the server has no mini app with a picture field')
}

async function openEditor(page) {
  await page.goto(`${base}/easy-app/${await pictureApp(page.request)}`)
  await page.locator('input[type=file]').first().setInputFiles(picture())
  await page.getByAltText('Chosen picture large.png').first().waitFor({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Draw a mask' }).first().click()
  const editor = page.getByRole('dialog', { name: 'Draw a mask' })
  await editor.locator('button:enabled', { hasText: 'Invert' }).waitFor({ timeout: 60_000 })
  return editor
}

const TRACED = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline']
const NO_COST = { clock: 0, processor: 0 }

const isTask = ({ name, dur }) => name === 'ThreadControllerImpl::RunTask' && dur > 0

async function trace(page, run) {
  await page.context().browser().startTracing(page, { categories: TRACED })
  await run()
  return JSON.parse((await page.context().browser().stopTracing()).toString()).traceEvents
}

/** The costs of the frames while `run` runs, in milliseconds. */
async function frames(page, run) {
  const traceEvents = await trace(page, run)
  // Every frame ends with a commit on the main thread of the page.
  const commits = traceEvents.filter(({ name, ph }) => name === 'Commit' && ph === 'X')
  const threads = commits.map(({ pid, tid }) => `${pid} ${tid}`)
  const main = median(threads)
  const isMain = ({ pid, tid }) => `${pid} ${tid}` === main
  const marks = commits.filter(isMain).map(({ ts }) => ts)
  if (marks.length === 0) throw new Error('the trace has no frames')
  marks.sort((a, b) => a - b)
  const costs = marks.map(() => ({ ...NO_COST }))
  const tasks = traceEvents.filter((event) => isTask(event) && isMain(event))
  for (const { ts, dur, tdur } of tasks) {
    const frame = marks.findIndex((mark) => mark >= ts)
    if (frame < 0) continue
    costs[frame].clock += dur / 1000
    costs[frame].processor += (tdur ?? dur) / 1000
  }
  return costs
}
/** One stroke over the whole stage: `turns` times from side to side, `moves` pointer moves in all. */
async function stroke(page, box, { turns, moves, shift = 0 }) {
  const at = (share) => {
    const turn = share * turns
    const across = Math.floor(turn) % 2 === 0 ? turn % 1 : 1 - (turn % 1)
    return [box.x + box.width * (0.3 + 0.4 * across), box.y + box.height * (0.04 + 0.92 * ((share + shift) % 1))]
  }
  await page.mouse.move(...at(0))
  await page.mouse.down()
  for (let move = 1; move <= moves; move += 1) await page.mouse.move(...at(move / moves))
  await page.mouse.up()
}

const fail = []
function report(name, value, bar, unit, processor) {
  const ok = value < bar
  const beside = processor === undefined ? '' : `, on the processor ${round(processor)} ${unit}`
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${name}: ${round(value)} ${unit}${beside} (bar: ${bar})`)
  if (!ok) fail.push(name)
}

async function measureStrokes(page, editor, box) {
  for (const [hardness, zoom] of [
    ['1', 'all'],
    ['0', 'all'],
    ['0', '100%'],
  ]) {
    await editor.getByLabel('Hardness').fill(hardness)
    await editor.getByRole('button', { name: /show all$/ }).click()
    for (let step = 0; zoom === '100%' && step < 18; step += 1)
      await editor.getByRole('button', { name: 'Zoom in' }).click()
    await stroke(page, box, { turns: 2, moves: 30 })
    // A mouse sends its moves faster than they are drawn; the pause at the end is part of the stroke.
    const times = await frames(page, async () => {
      await stroke(page, box, { turns: 8, moves: 400 })
      await pause(300)
    })
    const name = `stroking at hardness ${hardness}, zoom ${zoom}`
    console.log(`     ${name}: ${times.length} frames`)
    const [clock, processor] = [times.map((one) => one.clock), times.map((one) => one.processor)]
    report(`${name}, median frame`, median(clock), BARS.medianFrame, 'ms', median(processor))
    report(`${name}, longest frame`, Math.max(...clock), BARS.worstFrame, 'ms', Math.max(...processor))
    await editor.getByRole('button', { name: 'Clear' }).click()
  }
  await editor.getByRole('button', { name: /show all$/ }).click()
}

/** The time from the press until the filled area is painted. */
async function measureFills(page, box) {
  await page.keyboard.press('g')
  const [times, processor] = [[], []]
  for (let run = 0; run < FILLS; run += 1) {
    await page.evaluate(() => {
      const canvas = document.querySelector('[data-testid=mask-layer]')
      const pen = canvas.getContext('2d')
      const filled = () => pen.getImageData(canvas.width >> 1, canvas.height >> 2, 1, 1).data[3] > 0
      window.filled = new Promise((resolve) => {
        document.addEventListener(
          'pointerdown',
          () => {
            const start = performance.now()
            const look = () => (filled() ? resolve(performance.now() - start) : requestAnimationFrame(look))
            requestAnimationFrame(look)
          },
          { capture: true, once: true },
        )
      })
    })
    const events = await trace(page, async () => {
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 4)
      times.push(await page.evaluate(() => window.filled))
    })
    // All threads of the page: the worker fills, the main thread draws.
    const pages = new Set(events.filter(({ name }) => name === 'Commit').map(({ pid }) => pid))
    const tasks = events.filter((event) => isTask(event) && pages.has(event.pid))
    processor.push(tasks.reduce((sum, { dur, tdur }) => sum + (tdur ?? dur) / 1000, 0))
    await page.keyboard.press('Control+z')
    await pause(200)
  }
  await page.keyboard.press('b')
  report('fill of 12.6 million pixels, median', median(times), BARS.fill, 'ms', median(processor))
  report('fill of 12.6 million pixels, longest', Math.max(...times), BARS.fill, 'ms', Math.max(...processor))
}

/** Megabytes of the browser's renderers. */
async function memory(browser) {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  const kilobytes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0))
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1024
}

async function measureSteps(browser, page, editor, box) {
  await editor.getByLabel('Hardness').fill('0')
  const before = await memory(browser)
  let most = before
  for (let step = 0; step < STEPS; step += 1) {
    await stroke(page, box, { turns: 6, moves: 36, shift: step / STEPS })
    if (step % 10 === 9) most = Math.max(most, await memory(browser))
  }
  await pause(1000)
  most = Math.max(most, await memory(browser))
  report(`${STEPS} steps over the whole picture`, most - before, BARS.megabytes, 'MB')
  const undo = editor.getByRole('button', { name: 'Undo' })
  let undone = 0
  const times = await frames(page, async () => {
    for (; undone < STEPS && (await undo.isEnabled()); undone += 1) await page.keyboard.press('Control+z')
  })
  console.log(
    `     ${undone} steps were undone; the longest frame took ${round(Math.max(...times.map(({ clock }) => clock)))} ms, on the processor ${round(Math.max(...times.map(({ processor }) => processor)))} ms`,
  )
  if (undone !== STEPS) fail.push(`${STEPS} steps`)
}

console.log(`     load of the machine: ${loadavg().map(round).join(', ')}; processors: ${cpus().length}`)
const browser = await chromium.launch({ args: ARGS, ...(executablePath && { executablePath }) })
try {
  const person = await newPerson(base, 1)
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, storageState: person.state })
  const page = await context.newPage()
  const editor = await openEditor(page)
  await editor.getByLabel('Brush size').fill('200')
  const box = await editor.getByRole('application').boundingBox()
  await measureStrokes(page, editor, box)
  await measureFills(page, box)
  await measureSteps(browser, page, editor, box)
} finally {
  await browser.close()
}
if (fail.length > 0) {
  console.log(`missed: ${fail.join('; ')}`)
  process.exitCode = 1
}
