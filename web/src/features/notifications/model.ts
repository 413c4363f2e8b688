import type { CursorPage, Notice, Notification, NotificationType } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import type { Counts } from './unread'

/** The types in the order of the filter; `ALL` is every type. */
export const TYPES: NotificationType[] = ['COMMENT', 'LIKE', 'NOTICE', 'REQUESTS', 'OTHERS']
export const FILTERS = ['ALL', ...TYPES] as const
export type Filter = (typeof FILTERS)[number]

/** Page size of the inbox and the history. */
export const PAGE = 20
export const filterOf = (word: string | null): Filter => FILTERS.find((known) => known === word) ?? 'ALL'

export const countOf = (counts: Counts | undefined, filter: Filter): number =>
  (filter === 'ALL' ? counts?.count : counts?.byType[filter]) ?? 0

/** Notices and automatic notifications are shown with the product's logo. */
export const isOfficial = ({ type, user }: Notification): boolean =>
  type === 'NOTICE' || type === 'REQUESTS' || type === 'OTHERS' || (user?.roles.includes('Admin') ?? false)

/** The key in `notifications.said` of the sentence. */
export function sentence(notification: Notification) {
  if (notification.type === 'COMMENT') return notification.recomment ? 'answered' : 'commented'
  if (notification.type === 'LIKE') return 'liked'
  if (notification.type === 'REQUESTS') return 'request'
  if (notification.type === 'NOTICE') return 'notice'
  return ({ VIEW: 'views', LIKE: 'likes', LAUNCH: 'launches' } as const)[notification.othersType ?? 'VIEW']
}

/** The address that it is about; `null` if it is only text. */
export function linkOf(notification: Notification): string | null {
  const comment = notification.comment ? `?comment=${encodeURIComponent(notification.comment)}` : ''
  if (notification.workflow) return paths.workflow(notification.workflow) + comment
  if (notification.outputAsset) return paths.picture(notification.outputAsset._id) + comment
  return null
}

/** What a press does: opens an address, opens a text, or nothing if there is nothing more to see. */
export type Target = { to: string } | { html: string; to: string | null } | null

export function targetOf(notification: Notification): Target {
  const to = linkOf(notification)
  if (notification.type === 'NOTICE') return { html: notification.content ?? '', to }
  if (to) return { to }
  return notification.type === 'REQUESTS' && notification.content
    ? { html: paragraphs(notification.content), to }
    : null
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

const paragraphs = (text: string) =>
  text
    .split('\n')
    .map((line) => `<p>${line.replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? sign)}</p>`)
    .join('')

/** The list with `ids`, or all of a type, marked as seen. */
export function markSeen(items: Notification[], which: SeenSelection, now: string): Notification[] {
  const hit = (one: Notification) => !one.checkedAt && (which.ids ? which.ids.has(one._id) : matches(one, which.type))
  return items.some(hit) ? items.map((one) => (hit(one) ? { ...one, checkedAt: now } : one)) : items
}

export type SeenSelection = { ids: Set<string>; type?: undefined } | { ids?: undefined; type: Filter }

const matches = (one: Notification, type: Filter) => type === 'ALL' || one.type === type

/** The counts without those seen now: of `seen`, or all of a type. */
export function reduceCounts(counts: Counts, which: SeenSelection, seen: Notification[]): Counts {
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

/** Maximum characters of a notice's title, and bytes of its text. */
export const MAX_NOTICE_TITLE = 100

export type NoticeDraft = { titleEn: string; titleKo: string; contentEn: string; contentKo: string }
export const EMPTY_NOTICE: NoticeDraft = { titleEn: '', titleKo: '', contentEn: '', contentKo: '' }

/** Both languages need a title and a text. */
export const maySendNotice = (notice: NoticeDraft): boolean =>
  Boolean(notice.titleEn.trim() && notice.titleKo.trim() && notice.contentEn && notice.contentKo) &&
  [notice.titleEn, notice.titleKo].every((title) => [...title.trim()].length <= MAX_NOTICE_TITLE)

export type NoticePages = { pages: CursorPage<Notice>[]; pageParams: unknown[] }
