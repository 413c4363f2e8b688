import type { OutputAsset, User } from '@/shared/api/types'
import { formatDate } from '@/shared/lib/format'
import type { NsfwFilter } from '@/shared/lib/nsfw'

export type PictureSort = 'newest' | 'oldest' | 'like' | 'view'

export const SORTS: PictureSort[] = ['newest', 'oldest', 'like', 'view']

/** The order that an address asks for; the newest first where it asks for none. */
export const sortOf = (search: URLSearchParams): PictureSort =>
  SORTS.find((sort) => sort === search.get('sort')) ?? 'newest'

/** The lists that pictures stand in. A picture that was opened from one goes on within it. */
export type PictureList =
  | { of: 'mine' }
  | { of: 'public'; sort: PictureSort; nsfw: NsfwFilter }
  | { of: 'admin'; sort: PictureSort; nsfw: NsfwFilter }
  | { of: 'published'; user: string; sort: PictureSort; nsfw: NsfwFilter }
  | { of: 'unpublished'; user: string }
  | { of: 'liked'; user: string }

/** What a picture that was opened from a list knows of where it came from. */
export type OpenedFrom = { list: PictureList; under: string }

export type Blocked = 'deleted' | 'hidden' | 'public'

/**
 * Why a picture of a list cannot be opened; `null` where it can. Deleted ones have a view count of -1; what was
 * published while the unpublished ones were looked at stands among them until they are read anew.
 */
export function hiddenBecause(picture: OutputAsset, list: PictureList): Blocked | null {
  if (picture.viewCount === -1) return 'deleted'
  if (list.of === 'unpublished' && !picture.isPrivate) return 'public'
  const ownOrAll = list.of === 'mine' || list.of === 'unpublished' || list.of === 'admin'
  return picture.isPrivate && !ownOrAll ? 'hidden' : null
}

export const isOwn = (picture: OutputAsset, user: User | null | undefined): boolean =>
  Boolean(user) && user?._id === picture.user?._id

export const isLiked = (picture: OutputAsset, user: User | null | undefined): boolean =>
  Boolean(user && picture.likes.includes(user._id))

/** Width by height; a square where nobody knows, and for what is not shown. */
export const ratioOf = ({ asset, kind, hasPreview }: OutputAsset): number =>
  asset.width && asset.height && (hasPreview || kind !== 'image') ? asset.width / asset.height : 1

const OLD_UNTIL = Date.UTC(2025, 3, 22)
const OLD_END = Date.UTC(2025, 5, 21)
const DAY_MS = 86_400_000
const KEPT_DAYS = 30

/** When a private picture ends, in milliseconds: as the server says, else by the rule of the specification. */
export function expiryOf(picture: Pick<OutputAsset, 'createdAt' | 'expiresAt'>): number {
  if (picture.expiresAt) return Date.parse(picture.expiresAt)
  const created = Date.parse(picture.createdAt)
  return created < OLD_UNTIL ? OLD_END : created + KEPT_DAYS * DAY_MS
}

/** Whole days until then; 0 where the end has come and only the sweep has not. */
export const daysLeft = (end: number, now: number): number => Math.max(0, Math.ceil((end - now) / DAY_MS))

export type DateSection = { key: string; count: number; daysLeft: number | null }

/** Pictures of one day stand together, with the days that the first of them to go has left. */
export function byDate(pictures: OutputAsset[], now: number): DateSection[] {
  const sections: DateSection[] = []
  for (const picture of pictures) {
    const key = formatDate(picture.createdAt)
    let section = sections.at(-1)
    if (!section || section.key !== key) {
      section = { key, count: 0, daysLeft: null }
      sections.push(section)
    }
    section.count += 1
    if (!picture.isPrivate) continue
    const left = daysLeft(expiryOf(picture), now)
    section.daysLeft = section.daysLeft === null ? left : Math.min(section.daysLeft, left)
  }
  return sections
}

/** What is selected, and where a range begins. */
export type Selection = { ids: ReadonlySet<string>; anchor: string | null }
export const NOTHING: Selection = { ids: new Set(), anchor: null }
/** The most that one call may name; a selection never grows beyond it. */
export const MOST_SELECTED = 500

/** Adds or takes away one. */
export function toggleOne(selection: Selection, id: string): Selection {
  const ids = new Set(selection.ids)
  if (!ids.delete(id) && ids.size < MOST_SELECTED) ids.add(id)
  return { ids, anchor: id }
}

/** Adds everything from the last one that was touched to this one, whichever comes first in the list. */
export function addRange(selection: Selection, order: string[], id: string): Selection {
  const from = selection.anchor === null ? -1 : order.indexOf(selection.anchor)
  const to = order.indexOf(id)
  if (from < 0 || to < 0) return toggleOne(selection, id)
  const ids = new Set(selection.ids)
  for (const one of order.slice(Math.min(from, to), Math.max(from, to) + 1)) {
    if (ids.size < MOST_SELECTED) ids.add(one)
  }
  return { ids, anchor: selection.anchor }
}
