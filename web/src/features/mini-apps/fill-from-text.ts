import type { MiniAppCard } from '@/shared/api/types'
import type { FormValues, ReadForm } from '@/shared/ui/schema-form/read-form'

type AppTag = { key: string; en: string; ko: string }

/** The tags of an app. Missing translations fall back to the name. */
export function tagsOf(app: MiniAppCard): AppTag[] {
  return (app.workflowTags as unknown[]).flatMap((tag) => {
    if (typeof tag === 'string') return [{ key: tag, en: tag, ko: tag }]
    if (typeof tag !== 'object' || tag === null || !('name' in tag)) return []
    const en = String(tag.name)
    return [{ key: en, en, ko: 'nameKo' in tag ? String(tag.nameKo) : en }]
  })
}

/** Fills the first free text field, and every choice that the sentence names by value or label. */
export function fillFromText(form: ReadForm, text: string): FormValues {
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}-]+/gu) ?? [])
  const values: FormValues = {}
  const free = form.fields.find((field) => ['text', 'textarea'].includes(field.widget) && field.type === 'string')
  if (free) values[free.name] = free.maxLength === undefined ? text : [...text].slice(0, free.maxLength).join('')
  for (const field of form.fields) {
    if (field.widget !== 'select') continue
    const isNamed = (text: unknown) => typeof text === 'string' && words.has(text.toLowerCase())
    const named = field.options?.find((option, at) => isNamed(option) || isNamed(field.labels?.[at]))
    if (named !== undefined) values[field.name] = named
  }
  return values
}
