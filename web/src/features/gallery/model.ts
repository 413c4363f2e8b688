import type { OutputAsset, User } from '@/shared/api/types'
import { formatDate } from '@/shared/lib/format'
import type { NsfwFilter } from '@/shared/lib/nsfw'

export type PictureSort = 'newest' | 'oldest' | 'like' | 'view'

export const SORTS: PictureSort[] = ['newest', 'oldest', 'like', 'view']

/** The order in the address; newest first by default. */
export const sortOf = (search: URLSearchParams): PictureSort =>
  SORTS.find((sort) => sort === search.get('sort')) ?? 'newest'

/** The lists of pictures. An open picture navigates within its list. */
export type PictureList =
  | { of: 'mine' }
  | { of: 'public'; sort: PictureSort; nsfw: NsfwFilter }
  | { of: 'admin'; sort: PictureSort; nsfw: NsfwFilter }
  | { of: 'published'; user: string; sort: PictureSort; nsfw: NsfwFilter }
  | { of: 'unpublished'; user: string }
  | { of: 'liked'; user: string }

/** The history state of an open picture: the list it was opened from, and that list's address. */
export type OpenedFrom = { list: PictureList; under: string }

export type Blocked = 'deleted' | 'hidden' | 'public'

/**
 * Why a picture of a list cannot be opened; `null` if it can. Deleted pictures have a view count of -1. Pictures
 * published while the list of unpublished ones is open stay in it until a reload.
 */
export function blockedReason(picture: OutputAsset, list: PictureList): Blocked | null {
  if (picture.viewCount === -1) return 'deleted'
  if (list.of === 'unpublished' && !picture.isPrivate) return 'public'
  const ownOrAll = list.of === 'mine' || list.of === 'unpublished' || list.of === 'admin'
  return picture.isPrivate && !ownOrAll ? 'hidden' : null
}

export const isOwn = (picture: OutputAsset, user: User | null | undefined): boolean =>
  Boolean(user) && user?._id === picture.user?._id

/** Whether its owner may publish it now. A picture that a moderator has hidden stays private. */
export const mayBePublished = (picture: OutputAsset): boolean =>
  picture.isPrivate && picture.isPublishable && !picture.moderation

export const isLiked = (picture: OutputAsset, user: User | null | undefined): boolean =>
  Boolean(user && picture.likes.includes(user._id))

/** Width by height; 1 if unknown or not shown. */
export const ratioOf = ({ asset, kind, hasPreview }: OutputAsset): number =>
  asset.width && asset.height && (hasPreview || kind !== 'image') ? asset.width / asset.height : 1

const OLD_UNTIL = Date.UTC(2025, 3, 22)
const OLD_END = Date.UTC(2025, 5, 21)
const DAY_MS = 86_400_000
const KEPT_DAYS = 30

/** When a private picture expires, in milliseconds: from the server, else by the specification's rule. */
export function expiryOf(picture: Pick<OutputAsset, 'createdAt' | 'expiresAt'>): number {
  if (picture.expiresAt) return Date.parse(picture.expiresAt)
  const created = Date.parse(picture.createdAt)
  return created < OLD_UNTIL ? OLD_END : created + KEPT_DAYS * DAY_MS
}

export const daysLeft = (end: number, now: number): number => Math.max(0, Math.ceil((end - now) / DAY_MS))

type DateSection = { key: string; count: number; daysLeft: number | null }

/** Groups pictures by day, with the days until the first of the group expires. */
export function groupByDate(pictures: OutputAsset[], now: number): DateSection[] {
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

/** `anchor` is where a range begins. */
export type Selection = { ids: ReadonlySet<string>; anchor: string | null }
export const EMPTY_SELECTION: Selection = { ids: new Set(), anchor: null }
/** Maximum ids in one API call, and so in a selection. */
export const MAX_SELECTED = 500

export function toggleOne(selection: Selection, id: string): Selection {
  const ids = new Set(selection.ids)
  if (!ids.delete(id) && ids.size < MAX_SELECTED) ids.add(id)
  return { ids, anchor: id }
}

/** Adds all pictures between the anchor and this one. */
export function addRange(selection: Selection, order: string[], id: string): Selection {
  const from = selection.anchor === null ? -1 : order.indexOf(selection.anchor)
  const to = order.indexOf(id)
  if (from < 0 || to < 0) return toggleOne(selection, id)
  const ids = new Set(selection.ids)
  for (const one of order.slice(Math.min(from, to), Math.max(from, to) + 1)) {
    if (ids.size < MAX_SELECTED) ids.add(one)
  }
  return { ids, anchor: selection.anchor }
}
