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
  // A bare `import()` or `lazy()` keeps its failure for good.
  ['code is loaded on demand by chunk', /(?<!chunk\(\s*\(\) => |typeof )\bimport\((?!\))/, ['shared/lib/chunk.ts']],
  ['a part that is loaded on demand is made by lazyPart', /\blazy\(\(?/, ['shared/ui/lazy-part.tsx']],
  // Besides the hook: forms that look for something, the one that is made of a schema, and larger ones that are older.
  [
    'a form is made by useForm',
    /<form\b(?!\s+\{\.\.\.form\.form\})/,
    [
      'features/community-videos/components/video-controls.tsx',
      'features/mini-apps/components/wish-entry.tsx',
      'features/search/components/header-search.tsx',
      'features/workflows/components/edit-form.tsx',
      'features/workflows/components/import-dialog.tsx',
      'shared/ui/schema-form/schema-form.tsx',
      'shared/ui/search-form.tsx',
    ],
  ],
  // Besides the codec: pages that are older than it. A page that is moved onto it leaves this list; none joins it.
  [
    'a page reads its question from the address by the codec',
    /\buseSearchParams\(/,
    [
      'features/account/pages/account-page.tsx',
      'features/comments/components/comments-drawer.tsx',
      'features/comments/use-linked-thread.ts',
      'features/gallery/pages/gallery-page.tsx',
      'features/jobs/pages/jobs-page.tsx',
      'features/mini-apps/components/wish-entry.tsx',
      'features/mini-apps/use-app-run.ts',
      'features/mini-apps/use-begin.ts',
      'features/mini-apps/use-wish.ts',
      'features/notifications/pages/history-page.tsx',
      'features/workflows/pages/edit-page.tsx',
      'features/workflows/pages/search-page.tsx',
      'features/workflows/pages/workflows-page.tsx',
      'shared/lib/question.ts',
    ],
  ],
] as const

it.each(WAYS)('%s, and nowhere else', (_way, words, here) => {
  const found = sources.filter(({ text }) => words.test(text)).map(({ name }) => name)
  expect(found.sort()).toEqual([...here])
})

it('a test that puts other modules in the place of ours runs alone, and no other does', () => {
  const tests = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => /\.test\.tsx?$/.test(name))
  const replaces = (name: string) => /\bvi\.(mock|doMock|resetModules)\(/.test(readFileSync(join(SRC, name), 'utf8'))
  expect(tests.filter(replaces)).toEqual(tests.filter((name) => name.includes('.alone.test.')))
})
