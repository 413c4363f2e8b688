import type { Operator } from '@/shared/api/types'

export type LegalName = 'terms' | 'privacy'

/** A paragraph, or a list. */
export type Block = string | string[]
export type LegalSection = { id: string; title: string; body: Block[]; when?: 'chat' }
export type LegalText = { sections: LegalSection[] }

/** The sections that apply to this installation, with its values filled in. */
export function sectionsFor(text: LegalText, operator: Operator): LegalSection[] {
  const values: Record<string, string> = { operator: operator.name, days: String(operator.outputDays) }
  const fill = (words: string) => words.replace(/\{\{(\w+)\}\}/g, (hole, key: string) => values[key] ?? hole)
  return text.sections
    .filter((section) => section.when !== 'chat' || operator.hasChat)
    .map((section) => ({
      ...section,
      title: fill(section.title),
      body: section.body.map((block) => (typeof block === 'string' ? fill(block) : block.map(fill))),
    }))
}
