import { type AskedOf, oneOf, question, words } from '@/shared/lib/question'

export const VIDEO_SORTS = ['newest', 'oldest'] as const
export type VideoSort = (typeof VIDEO_SORTS)[number]

/** What of the list is asked for; it stands in the address. */
export const VIDEOS = question({ sort: oneOf(VIDEO_SORTS, 'newest'), keyword: words(), author: words() })
export type VideoQuestion = AskedOf<typeof VIDEOS>

/**
 * The frame of a video: made from the id alone, which is looked at once more, and started at once because the person
 * has pressed play already.
 */
export const frameUrl = (youtubeId: string): string | null =>
  /^[\w-]{11}$/.test(youtubeId) ? `https://www.youtube-nocookie.com/embed/${youtubeId}?autoplay=1&rel=0` : null

/** A day as date fields have it, at its beginning in UTC. */
export const dayOf = (iso: string): string => iso.slice(0, 10)
export const dayToTime = (day: string): string | undefined => (day ? `${day}T00:00:00Z` : undefined)
