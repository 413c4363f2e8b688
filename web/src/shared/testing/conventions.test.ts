import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const SRC = join(process.cwd(), 'src')
const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.') && !name.endsWith('schema.d.ts'))
  .map((name) => ({ name: name.replaceAll('\\', '/'), text: readFileSync(join(SRC, name), 'utf8') }))

/** What the code base does in one way only: a pattern that shows another way, and the files that may contain it. */
const CONVENTIONS = [
  [
    'an endless list is made by cursorQuery',
    /\binitialPageParam\b|\binfiniteQueryOptions\b/,
    ['shared/api/cursor-query.ts'],
  ],
  ['a response has the described type or a narrower one', /\bdata<|\banyPath\b/, ['shared/api/client.ts']],
  ['query keys are named in keys.ts', /\bqueryKey: \[\s*'|cursorQuery\(\s*\[\s*'/, []],
  [
    'an item is changed in all lists by patchItem',
    /\.pages\.map\(\(page\) => \(\{ \.\.\.page, items: page\.items\.(map|filter)/,
    [],
  ],
  // A bare `import()` or `lazy()` caches its failure forever.
  ['code is loaded by chunk', /(?<!chunk\(\s*\(\) => |typeof )\bimport\((?!\))/, ['shared/lib/chunk.ts']],
  ['a lazy part is made by lazyPart', /\blazy\(\(?/, ['shared/ui/lazy-part.tsx']],
  // Exceptions: search forms, the schema form, and larger forms that predate the hook.
  [
    'a form is made by useForm',
    /<form\b(?!\s+\{\.\.\.form\.form\})/,
    [
      'features/mini-apps/components/suggestion-form.tsx',
      'features/search/components/header-search.tsx',
      'features/videos/components/video-controls.tsx',
      'features/workflows/components/import-dialog.tsx',
      'shared/ui/schema-form/schema-form.tsx',
      'shared/ui/search-form.tsx',
    ],
  ],
  // Exceptions: pages that predate `useUrlParams`. The list only shrinks.
  [
    'a page parses its query string by useUrlParams',
    /\buseSearchParams\(/,
    [
      'features/account/pages/account-page.tsx',
      'features/comments/components/comments-drawer.tsx',
      'features/comments/components/comments.tsx',
      'features/gallery/pages/gallery-page.tsx',
      'features/jobs/pages/jobs-page.tsx',
      'features/mini-apps/components/suggestion-form.tsx',
      'features/mini-apps/use-app-form.ts',
      'features/mini-apps/use-app-run.ts',
      'features/mini-apps/use-initial-values.ts',
      'features/notifications/pages/history-page.tsx',
      'features/workflows/pages/edit-page.tsx',
      'features/workflows/pages/search-page.tsx',
      'features/workflows/pages/workflows-page.tsx',
      'shared/lib/url-params.ts',
    ],
  ],
] as const

it.each(CONVENTIONS)('%s', (_convention, pattern, allowed) => {
  const found = sources.filter(({ text }) => pattern.test(text)).map(({ name }) => name)
  expect(found.sort()).toEqual([...allowed])
})

it('only tests that mock modules run isolated', () => {
  const tests = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => /\.test\.tsx?$/.test(name))
  const replaces = (name: string) => /\bvi\.(mock|doMock|resetModules)\(/.test(readFileSync(join(SRC, name), 'utf8'))
  expect(tests.filter(replaces)).toEqual(tests.filter((name) => name.includes('.alone.test.')))
})
