import { describe, expect, it } from 'vitest'
import en from './locales/en'
import ko from './locales/ko'

const flatten = (value: object, prefix = ''): [string, string][] =>
  Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' ? [[prefix + key, inner] as [string, string]] : flatten(inner, `${prefix}${key}.`),
  )
const holes = (text: string) => (text.match(/\{\{\w+\}\}/g) ?? []).sort()
const english = new Map(flatten(en))
const korean = new Map(flatten(ko))

describe('English and Korean', () => {
  it('have the same keys', () => {
    expect([...korean.keys()].sort()).toEqual([...english.keys()].sort())
  })

  it.each([...english])('have the same placeholders in %s', (key, text) => {
    expect(holes(korean.get(key) ?? '')).toEqual(holes(text))
  })

  it('differ: Korean texts are not copies of the English ones', () => {
    const same = [...english].filter(([key, text]) => korean.get(key) === text).map(([key]) => key)
    expect(same.sort()).toEqual([
      'comments.counter',
      'common.brand',
      'common.english',
      'common.korean',
      'gallery.nsfw',
      'jobs.more',
      'workflows.admin.nsfw',
      'workflows.admin.sfw',
      'workflows.nsfw.mark',
      'workflows.nsfw.safe',
    ])
  })
})

describe('one word for one thing', () => {
  it('calls what people make a picture, but where the specification or the field says image', () => {
    const image = [...english].filter(([, text]) => /\bimages?\b/i.test(text)).map(([key]) => key)
    expect(image.sort()).toEqual([
      'account.portrait.tooLarge',
      'jobs.display.none',
      'miniApps.form.uploadImage',
      'miniApps.image.mine',
      'nodeEditor.pictures',
      'profile.emptyTitle.favorite',
      'simpleApps.apps.image-to-prompt.name',
      'suggestions.needs.TextToImage',
    ])
  })

  it('calls it a like, but where the specification has another word in English', () => {
    const other = [...english].filter(([, text]) => /favou?rite|bookmark/i.test(text)).map(([key]) => key)
    expect(other.sort()).toEqual(
      [
        // 2 §8: 'no bookmarked images or workflows'.
        'profile.emptyTitle.favorite',
        'profile.emptyTitle.favoriteWorkflows',
        // 1 §2, the workflow card: 'Favorite (not own items)'. The button there is named after it, and so is its
        // opposite.
        'profile.emptyText.favoriteWorkflows',
        'workflows.actions.like',
        'workflows.actions.unlike',
        // 2 §2: the tab 'favorite'.
        'profile.favorite.label',
        'profile.tabs.favorite',
      ].sort(),
    )
    expect([...korean].filter(([, text]) => /즐겨찾기|북마크|찜/.test(text))).toEqual([])
  })

  it('promises no credits every month before signing up: a plan may have none', () => {
    const promises = [...english].filter(([key, text]) => key.startsWith('intro.') && /every month/.test(text))
    expect(promises).toEqual([])
    expect([...korean].filter(([key, text]) => key.startsWith('intro.') && /매달|매월/.test(text))).toEqual([])
  })

  it('says what the number in the notice of a new job means', () => {
    expect(english.get('jobs.jobCreatedText')).toMatch(/ID/)
    expect(korean.get('jobs.jobCreatedText')).toMatch(/ID/)
  })

  it('has one Korean word for a workflow, a mini app, its form, a picture, a video and a worker', () => {
    const others = /워크플로(?!우)|미니앱|양식|사진|비디오|워커|작업자/
    expect([...korean].filter(([, text]) => others.test(text))).toEqual([])
  })

  it('calls a workflow with a form a mini app', () => {
    expect([...english].filter(([, text]) => /easy app/i.test(text))).toEqual([])
    expect([...korean].filter(([, text]) => /이지 ?앱/.test(text))).toEqual([])
  })
})
