import { freeText, oneOf, type ParamsOf, urlParams } from '@/shared/lib/url-params'

export const VIDEO_SORTS = ['newest', 'oldest'] as const

/** Filters of the list, kept in the address. */
export const VIDEOS = urlParams({ sort: oneOf(VIDEO_SORTS, 'newest'), keyword: freeText(), author: freeText() })
export type VideoQuestion = ParamsOf<typeof VIDEOS>

export const isSearch = ({ keyword, author }: VideoQuestion): boolean => keyword !== '' || author !== ''

/** The embed address. It is built from the checked id and starts the video at once, as the user has pressed play. */
export const frameUrl = (youtubeId: string): string | null =>
  /^[\w-]{11}$/.test(youtubeId) ? `https://www.youtube-nocookie.com/embed/${youtubeId}?autoplay=1&rel=0` : null

/** A day for date fields: in UTC. */
export const dayOf = (iso: string): string => iso.slice(0, 10)
export const dayToTime = (day: string): string | undefined => (day ? `${day}T00:00:00Z` : undefined)
