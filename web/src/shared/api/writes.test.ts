import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const FEATURES = join(process.cwd(), 'src/features')
const PRESSES = join(process.cwd(), 'e2e/presses')
const texts = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') || name.endsWith('.tsx'))
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)

/** A function that is not exported, from its name to its end. */
const FUNCTION = /^function [\s\S]*?^\}/gm
const sources = texts(FEATURES).filter(({ name }) => !name.includes('.test.'))

/** `feature/useHook` of each exported hook that writes, by `useMutation` or a wrapper of it. */
function hooks(): string[] {
  return sources.flatMap(({ name, text }) => {
    const inner = (text.match(FUNCTION) ?? []).filter((part) => /use(Mutation|Toggle)\(/.test(part))
    const wrappers = inner.flatMap((part) => matches(part, /^function (use\w+)/g))
    const writing = new RegExp(`\\b(?:${['useMutation', 'useToggle', ...wrappers].join('|')})\\(`)
    const parts = text.split(/^(?=export (?:function|const) )/m)
    return parts
      .filter((part) => writing.test(part.replaceAll(FUNCTION, '')))
      .flatMap((part) => matches(part, /^export (?:function|const) (use\w+)/g))
      .map((hook) => `${name.split('/')[0]}/${hook}`)
  })
}

it('every writing hook has a double-click row', () => {
  const written = hooks()
  const pressed = texts(PRESSES).flatMap(({ text }) => matches(text, /hook: '([\w-]+\/\w+)'/g))
  expect(written.length).toBeGreaterThan(60)
  expect(written.filter((hook) => !pressed.includes(hook))).toEqual([])
  expect(pressed.filter((hook) => !written.includes(hook))).toEqual([])
})

it('features write only by the guarded hook', () => {
  const unguarded = sources.filter(({ text }) => /import \{[^}]*\buseMutation\b[^}]*\} from '@tanstack/.test(text))
  expect(unguarded.map(({ name }) => name)).toEqual([])
})
