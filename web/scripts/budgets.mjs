// Fails when a page loads more script than its budget. Counts everything that the entry and the page's chunk import
// statically.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const dist = new URL('../dist/', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'))
const ENTRY = 'index.html'
/** The default limits. Admin pages show tables and editors of their own. */
const USUAL_KB = 205
const ADMIN_KB = 230
const OWN_KB = {
  'src/app/home/home-page.tsx': 210,
  // Includes the form and the result.
  'src/app/easy-app-page.tsx': 215,
  'src/features/gallery/pages/gallery-page.tsx': 210,
  'src/features/gallery/pages/picture-page.tsx': 210,
  // Includes the node search. The form, the drawing and the cards are loaded later.
  'src/features/workflow-api/pages/workflow-api-page.tsx': 220,
  'src/features/workflows/pages/workflows-page.tsx': 220,
  'src/features/workflows/pages/workflow-page.tsx': 220,
  // The text editor is loaded later.
  'src/features/workflows/pages/edit-page.tsx': 240,
}
const ADMIN =
  /^src\/(app\/admin|features\/(audit|curation|moderation|people|upkeep|fleet))\/|\/admin-[a-z-]+-page\.tsx$/
const limitOf = (chunk) => OWN_KB[chunk] ?? (ADMIN.test(chunk) ? ADMIN_KB : USUAL_KB)

/** Every page is its own chunk, so none is without a limit. */
const PAGES = Object.keys(manifest)
  .filter((key) => manifest[key].isDynamicEntry && key.endsWith('-page.tsx'))
  .sort()
for (const page of Object.keys(OWN_KB))
  if (!PAGES.includes(page)) throw new Error(`${page} has a limit but is no page of the build`)

const sizeOf = (file) => gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length

function closure(key, seen = new Set()) {
  const chunk = manifest[key]
  if (!chunk) throw new Error(`the build has no chunk ${key}`)
  if (seen.has(key)) return seen
  seen.add(key)
  for (const next of chunk.imports ?? []) closure(next, seen)
  return seen
}

let failed = false
for (const chunk of PAGES) {
  const limitKb = limitOf(chunk)
  const keys = closure(chunk, closure(ENTRY))
  const files = new Set([...keys].map((key) => manifest[key].file).filter((file) => file.endsWith('.js')))
  const kb = [...files].reduce((sum, file) => sum + sizeOf(file), 0) / 1000
  const over = kb > limitKb
  failed ||= over
  console.log(`${over ? 'FAIL' : 'ok  '} ${chunk}: ${kb.toFixed(1)} kB gz of ${limitKb} kB`)
}
if (failed) process.exit(1)
