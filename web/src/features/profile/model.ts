import type { IconName } from '@/shared/ui/icon'

export type ContactKind = 'homepage' | 'instagram' | 'email'
export const CONTACT_KINDS: ContactKind[] = ['homepage', 'instagram', 'email']
export const CONTACT_ICONS: Record<ContactKind, IconName> = { homepage: 'globe', instagram: 'camera', email: 'mail' }

/** One line of the form; the order of the lines is the order on the profile. */
export type ContactDraft = { kind: ContactKind; value: string }
type Points = Record<string, { value: string; order: number }>

const isKind = (kind: string): kind is ContactKind => CONTACT_KINDS.includes(kind as ContactKind)

/** The contact points that are there, in their order. */
export const contactsOf = (points: Points): ContactDraft[] =>
  Object.entries(points)
    .sort(([, a], [, b]) => a.order - b.order)
    .flatMap(([kind, { value }]) => (isKind(kind) ? [{ kind, value }] : []))

/** The form: what is there first, then the kinds that are still empty. */
export function draftOf(points: Points): ContactDraft[] {
  const there = contactsOf(points)
  const missing = CONTACT_KINDS.filter((kind) => !there.some((point) => point.kind === kind))
  return [...there, ...missing.map((kind) => ({ kind, value: '' }))]
}

/** What the server is told: a map of kinds to values and places. */
export const contactBody = (draft: ContactDraft[]): Partial<Record<ContactKind, { value: string; order: number }>> =>
  Object.fromEntries(draft.map(({ kind, value }, order) => [kind, { value: value.trim(), order }]))

/** Moves a line up or down; at the end of the list nothing happens. */
export function moved(draft: ContactDraft[], at: number, by: -1 | 1): ContactDraft[] {
  const [line, other] = [draft[at], draft[at + by]]
  if (!line || !other) return draft
  return draft.map((one, index) => (index === at ? other : index === at + by ? line : one))
}

/**
 * Where a contact point leads. The link to Instagram is made from the handle; a homepage that is no web address (the
 * server lets none in) leads nowhere.
 */
export function contactHref({ kind, value }: ContactDraft): string | undefined {
  if (kind === 'instagram') return `https://www.instagram.com/${encodeURIComponent(value)}/`
  if (kind === 'email') return `mailto:${encodeURIComponent(value).replace('%40', '@')}`
  return /^https?:\/\//i.test(value) ? value : undefined
}

/** What is shown of it: people read hosts, not schemes. */
export const contactText = ({ kind, value }: ContactDraft): string =>
  kind === 'homepage'
    ? value.replace(/^https?:\/\//i, '').replace(/\/$/, '')
    : kind === 'instagram'
      ? `@${value}`
      : value
