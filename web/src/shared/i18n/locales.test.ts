import { describe, expect, it } from 'vitest'
import en from './locales/en'
import ko from './locales/ko'

const flatten = (value: object, prefix = ''): [string, string][] =>
  Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' ? [[prefix + key, inner] as [string, string]] : flatten(inner, `${prefix}${key}.`),
  )
const holes = (text: string) => (text.match(/\{\{\w+\}\}/g) ?? []).sort()
const files = import.meta.glob<{ default: object }>('./locales/en/*.json', { eager: true })
const nameOf = (file: string) =>
  file.slice(file.lastIndexOf('/') + 1, -'.json'.length).replace(/-(\w)/g, (_, first: string) => first.toUpperCase())
const all = Object.fromEntries(Object.entries(files).map(([file, texts]) => [nameOf(file), texts.default]))
const english = new Map(flatten(all))
const korean = new Map(flatten(ko))

describe('English and Korean', () => {
  it('have the same keys', () => {
    expect([...korean.keys()].sort()).toEqual([...english.keys()].sort())
  })

  it.each([...english])('fill the same places in %s', (key, text) => {
    expect(holes(korean.get(key) ?? '')).toEqual(holes(text))
  })

  it('are both written: Korean texts are not copies of the English ones', () => {
    const same = [...english].filter(([key, text]) => korean.get(key) === text).map(([key]) => key)
    expect(same.sort()).toEqual([
      'common.brand',
      'common.english',
      'common.korean',
      'workflows.admin.nsfw',
      'workflows.admin.sfw',
      'workflows.nsfw.mark',
      'workflows.nsfw.safe',
    ])
  })
})

describe('texts that come with their pages', () => {
  const sources = import.meta.glob<string>('../../features/*/**/*.{ts,tsx}', {
    eager: true,
    query: '?raw',
    import: 'default',
  })
  const late = Object.keys(all).filter((name) => !(name in en))
  const featureOf = (path: string) => /features\/([^/]+)/.exec(path)?.[1] ?? ''
  const bringing = Object.entries(sources).filter(([path]) => path.endsWith('/texts.ts'))

  it('are brought by one feature each', () => {
    const brought = bringing.map(([, text]) => /addTexts\('(\w+)'/.exec(text)?.[1])
    expect(brought.sort()).toEqual(late.sort())
  })

  it('are imported by every page of their feature, and by its front', () => {
    const features = new Set(bringing.map(([path]) => featureOf(path)))
    const doors = Object.entries(sources).filter(
      ([path]) => features.has(featureOf(path)) && /pages\/[\w-]+\.tsx$|\/[\w-]+\/index\.ts$/.test(path),
    )
    expect(doors.length).toBeGreaterThanOrEqual(features.size)
    expect(doors.filter(([, text]) => !/import '\.\.?\/texts'/.test(text)).map(([path]) => path)).toEqual([])
  })
})
