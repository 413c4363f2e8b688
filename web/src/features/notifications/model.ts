import type { CursorPage, Notice, Notification, NotificationType } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import type { Counts } from './unread'

/** The types in the order of the filter; `ALL` is every type. */
export const TYPES: NotificationType[] = ['COMMENT', 'LIKE', 'NOTICE', 'REQUESTS', 'OTHERS']
export const FILTERS = ['ALL', ...TYPES] as const
export type Filter = (typeof FILTERS)[number]

/** Notifications in the box, and on a page of the history. */
export const PAGE = 20
export const filterOf = (word: string | null): Filter => FILTERS.find((known) => known === word) ?? 'ALL'

export const countOf = (counts: Counts | undefined, filter: Filter): number =>
  (filter === 'ALL' ? counts?.count : counts?.byType[filter]) ?? 0

/** Operators, and what happens by itself, are shown with the product's sign. */
export const isOfficial = ({ type, user }: Notification): boolean =>
  type === 'NOTICE' || type === 'REQUESTS' || type === 'OTHERS' || (user?.roles.includes('Admin') ?? false)

/** The key of the sentence that says what happened, below `notifications.said`. */
export function sentence(told: Notification) {
  if (told.type === 'COMMENT') return told.recomment ? 'answered' : 'commented'
  if (told.type === 'LIKE') return 'liked'
  if (told.type === 'REQUESTS') return 'request'
  if (told.type === 'NOTICE') return 'notice'
  return ({ VIEW: 'views', LIKE: 'likes', LAUNCH: 'launches' } as const)[told.othersType ?? 'VIEW']
}

/** Where it is to be seen; `null` for what is read in place. */
export function linkOf(told: Notification): string | null {
  const comment = told.comment ? `?comment=${encodeURIComponent(told.comment)}` : ''
  if (told.workflow) return paths.workflow(told.workflow) + comment
  if (told.outputAsset) return paths.picture(told.outputAsset._id) + comment
  return null
}

/**
 * What a press on it does: it leads somewhere, opens what is read in place, or nothing where there is nothing to see:
 * news of a request that says no more than its line, or a post that is gone.
 */
export type Target = { to: string } | { html: string; to: string | null } | null

export function targetOf(told: Notification): Target {
  const to = linkOf(told)
  if (told.type === 'NOTICE') return { html: told.content ?? '', to }
  if (to) return { to }
  return told.type === 'REQUESTS' && told.content ? { html: paragraphs(told.content), to } : null
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** A text as HTML, line by line. */
const paragraphs = (text: string) =>
  text
    .split('\n')
    .map((line) => `<p>${line.replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? sign)}</p>`)
    .join('')

/** Lists with the same things, of which `ids` (or, without them, all of a type) are seen now. Others stay as they are. */
export function checked(items: Notification[], which: Which, now: string): Notification[] {
  const hit = (one: Notification) => !one.checkedAt && (which.ids ? which.ids.has(one._id) : matches(one, which.type))
  return items.some(hit) ? items.map((one) => (hit(one) ? { ...one, checkedAt: now } : one)) : items
}

export type Which = { ids: Set<string>; type?: undefined } | { ids?: undefined; type: Filter }

const matches = (one: Notification, type: Filter) => type === 'ALL' || one.type === type

/** The counts without what is seen now: of `seen`, which were unread until then, or all of a type. */
export function countedDown(counts: Counts, which: Which, seen: Notification[]): Counts {
  const byType = { ...counts.byType }
  let count = counts.count
  const take = (type: string, most: number) => {
    const taken = Math.min(byType[type] ?? 0, most)
    byType[type] = (byType[type] ?? 0) - taken
    count = Math.max(0, count - taken)
  }
  if (which.ids) for (const one of seen) take(one.type, 1)
  else if (which.type === 'ALL') return { count: 0, byType: Object.fromEntries(TYPES.map((type) => [type, 0])) }
  else take(which.type, Number.MAX_SAFE_INTEGER)
  return { count, byType }
}

/** Pages of a list that grows at its head: what moved onto the next page stands once. */
export function once(pages: { items: Notification[] }[]): Notification[] {
  const seen = new Set<string>()
  return pages.flatMap((page) => page.items).filter((one) => !seen.has(one._id) && seen.add(one._id))
}

/** Characters of a notice's title, and bytes of its text, at most. */
export const MAX_NOTICE_TITLE = 100

export type NoticeDraft = { titleEn: string; titleKo: string; contentEn: string; contentKo: string }
export const EMPTY_NOTICE: NoticeDraft = { titleEn: '', titleKo: '', contentEn: '', contentKo: '' }

/** Whether both languages have a title and a text. */
export const maySendNotice = (notice: NoticeDraft): boolean =>
  Boolean(notice.titleEn.trim() && notice.titleKo.trim() && notice.contentEn && notice.contentKo) &&
  [notice.titleEn, notice.titleKo].every((title) => [...title.trim()].length <= MAX_NOTICE_TITLE)

export type NoticePages = { pages: CursorPage<Notice>[]; pageParams: unknown[] }
