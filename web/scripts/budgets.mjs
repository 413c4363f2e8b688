// Fails when a page loads more script than it may: everything that its entry and its own chunk import statically.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const dist = new URL('../dist/', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'))
const ENTRY = 'index.html'
const BUDGETS = [
  { page: 'landing', chunk: 'src/app/home/home-page.tsx', limitKb: 210 },
  { page: 'form', chunk: 'src/app/easy-app-page.tsx', limitKb: 310 },
  { page: 'workflows', chunk: 'src/features/workflows/pages/workflows-page.tsx', limitKb: 220 },
  { page: 'workflow', chunk: 'src/features/workflows/pages/workflow-page.tsx', limitKb: 220 },
  // The text editor comes after it, on its own.
  { page: 'workflow edit', chunk: 'src/features/workflows/pages/edit-page.tsx', limitKb: 240 },
  { page: 'gallery', chunk: 'src/features/gallery/pages/gallery-page.tsx', limitKb: 210 },
  { page: 'picture', chunk: 'src/features/gallery/pages/picture-page.tsx', limitKb: 210 },
]

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
for (const { page, chunk, limitKb } of BUDGETS) {
  const keys = closure(chunk, closure(ENTRY))
  const files = new Set([...keys].map((key) => manifest[key].file).filter((file) => file.endsWith('.js')))
  const kb = [...files].reduce((sum, file) => sum + sizeOf(file), 0) / 1000
  const over = kb > limitKb
  failed ||= over
  console.log(`${over ? 'FAIL' : 'ok  '} ${page}: ${kb.toFixed(1)} kB gz of ${limitKb} kB`)
}
if (failed) process.exit(1)
