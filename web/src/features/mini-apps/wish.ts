import type { MiniAppCard } from '@/shared/api/types'
import type { FormValues, ReadForm } from '@/shared/ui/schema-form/read-form'

/** A tag as cards show it. */
export type AppTag = { key: string; en: string; ko: string }

/** The tags of an app; one without a translation is shown as it is. */
export function tagsOf(app: MiniAppCard): AppTag[] {
  return (app.workflowTags as unknown[]).flatMap((tag) => {
    if (typeof tag === 'string') return [{ key: tag, en: tag, ko: tag }]
    if (typeof tag !== 'object' || tag === null || !('name' in tag)) return []
    const en = String(tag.name)
    return [{ key: en, en, ko: 'nameKo' in tag ? String(tag.nameKo) : en }]
  })
}

/** Whether an app makes films. Everything that does not is taken to make pictures. */
export const makesVideo = (app: MiniAppCard): boolean => tagsOf(app).some((tag) => /\bvideo\b|lip sync/i.test(tag.en))

const takesText = (app: MiniAppCard) => tagsOf(app).some((tag) => /^text to /i.test(tag.en))

/** Words worth looking for: short ones ("of", "in") say nothing, and endings ("mountains", "mountain") do not matter. */
const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => word.length > 2 || /\p{Script=Hangul}/u.test(word))
    .map((word) => (word.length > 5 ? word.slice(0, -2) : word))

/**
 * The app that fits a sentence best: its name counts most, then its tags, then what it says of itself; an app that takes
 * text is preferred to one that does not. Where no word fits, the first one: lists come with the most loved first.
 */
export function bestApp<A extends MiniAppCard>(text: string, apps: A[]): A | undefined {
  const words = wordsOf(text)
  const scoreOf = (app: A) => {
    const places: [string, number][] = [
      [app.name, 5],
      [
        tagsOf(app)
          .map((tag) => `${tag.en} ${tag.ko}`)
          .join(' '),
        3,
      ],
      [app.description, 1],
    ]
    const hits = places.map(([place, weight]) => {
      const where = place.toLowerCase()
      return words.filter((word) => where.includes(word)).length * weight
    })
    return hits.reduce((sum, hit) => sum + hit, 0) + (takesText(app) ? 4 : 0)
  }
  let best: { app: A; score: number } | undefined
  for (const app of apps) {
    const score = scoreOf(app)
    if (!best || score > best.score) best = { app, score }
  }
  return best?.app
}

/** What a sentence fills in: the first free text, and every choice that it names ("a silk in ember"). */
export function fillFromText(form: ReadForm, text: string): FormValues {
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}-]+/gu) ?? [])
  const values: FormValues = {}
  const free = form.fields.find((field) => ['text', 'textarea'].includes(field.widget) && field.type === 'string')
  if (free) values[free.name] = free.maxLength === undefined ? text : [...text].slice(0, free.maxLength).join('')
  for (const field of form.fields) {
    if (field.widget !== 'select') continue
    const named = field.options?.find((option) => typeof option === 'string' && words.has(option.toLowerCase()))
    if (named !== undefined) values[field.name] = named
  }
  return values
}
