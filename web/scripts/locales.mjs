// Fails when the two languages differ in keys or placeholders, or when a text is empty or unused.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../src/', import.meta.url))
const locales = join(root, 'shared/i18n/locales')
const problems = []

function flatten(value, prefix = '') {
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' ? [[prefix + key, inner]] : flatten(inner, `${prefix}${key}.`),
  )
}

const read = (language, file) => new Map(flatten(JSON.parse(readFileSync(join(locales, language, file), 'utf8'))))
const holes = (text) => (text.match(/\{\{\w+\}\}/g) ?? []).sort().join(' ')

const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\./.test(file))
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n')

const files = new Set(
  ['en', 'ko'].flatMap((language) => readdirSync(join(locales, language)).filter((f) => f.endsWith('.json'))),
)
let count = 0
for (const file of files) {
  const en = read('en', file)
  const ko = read('ko', file)
  for (const key of new Set([...en.keys(), ...ko.keys()])) {
    count += 1
    const place = `${file}: ${key}`
    const [a, b] = [en.get(key), ko.get(key)]
    if (a === undefined) problems.push(`${place} is missing in English`)
    else if (b === undefined) problems.push(`${place} is missing in Korean`)
    else if (!a.trim() || !b.trim()) problems.push(`${place} is empty`)
    else if (holes(a) !== holes(b)) problems.push(`${place} has other placeholders in Korean`)
    // Keys built at run time (status names, kinds, tabs) are found by their parent object.
    const plain = key.replace(/_(one|other)$/, '')
    const parent = plain.split('.').slice(0, -1).join('.')
    const used = sources.includes(`'${plain}'`) || (parent !== '' && sources.includes(`\`${parent}.\${`))
    const chosen = sources.includes(`'${plain.split('.').pop()}'`)
    if (!used && !chosen) problems.push(`${place} is unused`)
  }
}
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log(`ok   ${count} texts, English and Korean agree`)
