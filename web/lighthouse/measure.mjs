// Measures home, gallery and a workflow page with Lighthouse, as a phone on a slow network and as a desktop. Fails
// where a page is below the limits. VERDIGRAPH_URL names the server, CHROME_PATH the browser.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const BARS = { performance: 90, accessibility: 95 }
/** A single measurement depends on the machine, so the median of these counts. */
const RUNS = Number(process.env.RUNS ?? 3)
const PAGES = (process.env.PAGES ?? 'home,gallery,workflow').split(',')
/** Lighthouse misses the start of a page now and then and has to run again. */
const TRIES = 3
const FORMS = [
  { form: 'phone', options: [] },
  { form: 'desktop', options: ['--preset=desktop'] },
]

const base = process.env.VERDIGRAPH_URL ?? 'http://localhost:8080'
const program = fileURLToPath(new URL('node_modules/lighthouse/cli/index.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'verdigraph-lighthouse-'))

function measure(path, options) {
  const file = join(folder, 'report.json')
  const flags = [
    '--output=json',
    `--output-path=${file}`,
    '--only-categories=performance,accessibility',
    '--chrome-flags=--headless=new --no-sandbox',
    '--quiet',
  ]
  for (let tried = 1; ; tried += 1) {
    try {
      execFileSync(process.execPath, [program, base + path, ...flags, ...options], {
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      return JSON.parse(readFileSync(file, 'utf8'))
    } catch (error) {
      if (tried === TRIES) throw error
    }
  }
}

const scoreOf = (report, category) => Math.round(report.categories[category].score * 100)

function median(reports, category) {
  const ranked = reports.toSorted((a, b) => scoreOf(a, category) - scoreOf(b, category))
  return ranked[Math.floor(ranked.length / 2)]
}

/** The audits without full marks in a category. */
function faults(report, category) {
  return report.categories[category].auditRefs
    .map(({ id, weight }) => ({ weight, ...report.audits[id] }))
    .filter(({ weight, score }) => weight > 0 && score !== null && score < 0.9)
    .map(({ title, displayValue }) => `       ${title}${displayValue ? `: ${displayValue}` : ''}`)
}

async function firstPost() {
  const answer = await fetch(`${base}/api/public/workflow?limit=50&sort=view`)
  const { items } = await answer.json()
  const post = items.find((one) => one.workflowApi)
  if (!post) throw new Error(`${base} has no published workflow with a mini app`)
  return post._id
}

let failed = false
try {
  const pages = { home: '/', gallery: '/gallery', workflow: `/workflows/${await firstPost()}` }
  for (const [name, path] of Object.entries(pages).filter(([name]) => PAGES.includes(name))) {
    for (const { form, options } of FORMS) {
      const reports = Array.from({ length: RUNS }, () => measure(path, options))
      for (const [category, bar] of Object.entries(BARS)) {
        const report = median(reports, category)
        const score = scoreOf(report, category)
        const low = score < bar
        failed ||= low
        const all = reports.map((one) => scoreOf(one, category)).join(', ')
        console.log(`${low ? 'FAIL' : 'ok  '} ${name} (${form}) ${category}: ${score} of at least ${bar} (${all})`)
        if (low) console.log(faults(report, category).join('\n'))
      }
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
if (failed) process.exit(1)
