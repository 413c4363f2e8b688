// Measures the largest contentful paint of a mini app on a slow phone: 400 kbit/s, 400 ms latency and a quarter of the
// CPU. Also measures a floor: name, picture and description as plain HTML without the program. With the URL of an
// older build as second argument, it fails unless this build takes at most half of its time.
//
//   node lighthouse/lcp.mjs http://localhost:8080 [http://localhost:8081]
//
// RUNS is the number of measurements; the median counts.

import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { chromium } from 'playwright'

const RUNS = Number(process.env.RUNS ?? 3)
/** Half of the first measurement, which was 13 s. */
const BAR_MS = 6500
const KBIT = 400
const LATENCY_MS = 400
const SLOWER = 4
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
const DEBIAN = '/usr/bin/chromium'
const executablePath = process.env.CHROMIUM ?? (existsSync(DEBIAN) ? DEBIAN : undefined)

const [base, older] = process.argv.slice(2)
if (!base) throw new Error('missing the URL of a server: node lighthouse/lcp.mjs http://localhost:8080')

async function firstApp(site) {
  const { items } = await (await fetch(`${site}/api/public/mini-app?limit=1&sort=view`)).json()
  if (!items[0]) throw new Error(`${site} has no published mini app`)
  return items[0].workflowApi
}

/** A plain HTML page with the same text and picture, served without the program. */
async function serveFloor(site, id) {
  const app = await (await fetch(`${site}/api/public/workflow-api/${id}`)).json()
  const { name, description, cover } = app.workflow
  const picture = Buffer.from(await (await fetch(site + cover.thumbnailUrl)).arrayBuffer())
  const page = `<!doctype html><meta name="viewport" content="width=device-width"><title>${name}</title>
    <img src="/cover" alt="" width="72" height="72"><h1>${name}</h1>${description}`
  const server = createServer((request, response) => {
    const isCover = request.url === '/cover'
    response.setHeader('content-type', isCover ? 'image/webp' : 'text/html; charset=utf-8')
    response.end(isCover ? picture : request.url === '/' ? page : '')
  })
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready))
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() }
}

/** Opens the page with an empty cache and returns the measured times. */
async function open(browser, url, isApp) {
  const context = await browser.newContext(PHONE)
  try {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    const bytes = (KBIT * 1000) / 8
    const slow = { offline: false, latency: LATENCY_MS, downloadThroughput: bytes, uploadThroughput: bytes }
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', slow)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
    await page.addInitScript(() => {
      window.seen = []
      new PerformanceObserver((list) => {
        for (const { startTime, size, element, url } of list.getEntries()) {
          window.seen.push({ at: startTime, size, what: url || `${element?.tagName} ${element?.className}`.trim() })
        }
      }).observe({ type: 'largest-contentful-paint', buffered: true })
    })
    await page.goto(url, { waitUntil: 'load', timeout: 120_000 })
    let usable = null
    if (isApp) {
      await page.locator('form button[type=submit], button[form]').first().waitFor({ timeout: 120_000 })
      usable = await page.evaluate(() => performance.now())
    }
    // Late pictures and comments count too.
    await page.waitForLoadState('networkidle', { timeout: 120_000 })
    await page.waitForTimeout(1000)
    const { seen, first } = await page.evaluate(() => ({
      seen: window.seen,
      first: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    }))
    return { lcp: seen.at(-1)?.at ?? Number.NaN, what: seen.at(-1)?.what, first, usable, seen }
  } finally {
    await context.close()
  }
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
const seconds = (ms) => (ms === null || ms === undefined ? '–' : `${(ms / 1000).toFixed(1)} s`)

const id = await firstApp(base)
const floor = await serveFloor(base, id)
const pages = [
  { name: 'this', url: `${base}/easy-app/${id}`, isApp: true, runs: [] },
  { name: 'floor', url: floor.url, isApp: false, runs: [] },
]
if (older) pages.push({ name: 'older', url: `${older}/easy-app/${await firstApp(older)}`, isApp: true, runs: [] })
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] })
try {
  for (let run = 0; run < RUNS; run += 1) {
    for (const { url, isApp, runs } of pages) runs.push(await open(browser, url, isApp))
  }
} finally {
  await browser.close()
  floor.close()
}
const lcp = (name) => {
  const page = pages.find((one) => one.name === name)
  return page && median(page.runs.map((run) => run.lcp))
}
for (const { name, runs } of pages) {
  const all = runs.map((run) => seconds(run.lcp)).join(', ')
  const first = seconds(median(runs.map((run) => run.first)))
  const usable = seconds(median(runs.map((run) => run.usable)))
  console.log(
    `${name}: LCP ${seconds(lcp(name))} (${all}), first paint ${first}, form there ${usable}: ${runs[0].what}`,
  )
  if (process.env.SAY)
    for (const { at, size, what } of runs[0].seen) console.log(`       ${seconds(at)} ${size} ${what}`)
}
const bar = Math.min(BAR_MS, older ? lcp('older') / 2 : BAR_MS)
const low = !(lcp('this') <= bar)
console.log(
  `${low ? 'FAIL' : 'ok  '} ${seconds(lcp('this'))} of at most ${seconds(bar)}, ${(lcp('this') / lcp('floor')).toFixed(1)} times the floor`,
)
process.exit(low ? 1 : 0)
