import type { IconName } from '@/shared/ui/icon'

type ContactKind = 'homepage' | 'instagram' | 'email'
const CONTACT_KINDS: ContactKind[] = ['homepage', 'instagram', 'email']
export const CONTACT_ICONS: Record<ContactKind, IconName> = { homepage: 'globe', instagram: 'camera', email: 'mail' }

/** One line of the form; their order is the order on the profile. */
export type ContactDraft = { kind: ContactKind; value: string }
type Points = Record<string, { value: string; order: number }>

const isKind = (kind: string): kind is ContactKind => CONTACT_KINDS.includes(kind as ContactKind)

export const contactsOf = (points: Points): ContactDraft[] =>
  Object.entries(points)
    .sort(([, a], [, b]) => a.order - b.order)
    .flatMap(([kind, { value }]) => (isKind(kind) ? [{ kind, value }] : []))

export function draftOf(points: Points): ContactDraft[] {
  const there = contactsOf(points)
  const missing = CONTACT_KINDS.filter((kind) => !there.some((point) => point.kind === kind))
  return [...there, ...missing.map((kind) => ({ kind, value: '' }))]
}

export const contactBody = (draft: ContactDraft[]): Partial<Record<ContactKind, { value: string; order: number }>> =>
  Object.fromEntries(draft.map(({ kind, value }, order) => [kind, { value: value.trim(), order }]))

export function moved(draft: ContactDraft[], at: number, by: -1 | 1): ContactDraft[] {
  const [line, other] = [draft[at], draft[at + by]]
  if (!line || !other) return draft
  return draft.map((one, index) => (index === at ? other : index === at + by ? line : one))
}

/** The link of a contact point. Instagram's is built from the handle; a homepage without a web address has none. */
export function contactHref({ kind, value }: ContactDraft): string | undefined {
  if (kind === 'instagram') return `https://www.instagram.com/${encodeURIComponent(value)}/`
  if (kind === 'email') return `mailto:${encodeURIComponent(value).replace('%40', '@')}`
  return /^https?:\/\//i.test(value) ? value : undefined
}

/** The shown text: web addresses without the scheme. */
export const contactText = ({ kind, value }: ContactDraft): string =>
  kind === 'homepage'
    ? value.replace(/^https?:\/\//i, '').replace(/\/$/, '')
    : kind === 'instagram'
      ? `@${value}`
      : value
