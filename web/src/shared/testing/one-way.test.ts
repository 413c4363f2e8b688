import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const SRC = join(process.cwd(), 'src')
const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.') && !name.endsWith('schema.d.ts'))
  .map((name) => ({ name: name.replaceAll('\\', '/'), text: readFileSync(join(SRC, name), 'utf8') }))

/** What there is one way for: the words by which another way would be known, and where the one way is written. */
const WAYS = [
  [
    'an endless list is made by cursorQuery',
    /\binitialPageParam\b|\binfiniteQueryOptions\b/,
    ['shared/api/cursor-query.ts'],
  ],
  ['an answer has the type that is described, or a narrower one', /\bdata<|\banyPath\b/, ['shared/api/client.ts']],
  ['a key is named in one file', /\bqueryKey: \[\s*'|cursorQuery\(\s*\[\s*'/, []],
  [
    'an item is changed in all lists by patchItem',
    /\.pages\.map\(\(page\) => \(\{ \.\.\.page, items: page\.items\.(map|filter)/,
    [],
  ],
] as const

it.each(WAYS)('%s, and nowhere else', (_way, words, here) => {
  const found = sources.filter(({ text }) => words.test(text)).map(({ name }) => name)
  expect(found).toEqual([...here])
})
