export const VIDEO_SORTS = ['newest', 'oldest'] as const
export type VideoSort = (typeof VIDEO_SORTS)[number]

/** What of the list is asked for; it stands in the address. */
export type VideoQuestion = { sort: VideoSort; keyword: string; author: string }

export function readQuestion(params: URLSearchParams): VideoQuestion {
  return {
    sort: VIDEO_SORTS.find((known) => known === params.get('sort')) ?? 'newest',
    keyword: (params.get('keyword') ?? '').trim().slice(0, 100),
    author: params.get('author') ?? '',
  }
}

/** The address of the same list with another value; an empty one goes. */
export function withAnswer(params: URLSearchParams, key: keyof VideoQuestion, value: string): URLSearchParams {
  const next = new URLSearchParams(params)
  if (value) next.set(key, value)
  else next.delete(key)
  return next
}

/**
 * The frame of a video: made from the id alone, which is looked at once more, and started at once because the person
 * has pressed play already.
 */
export const frameUrl = (youtubeId: string): string | null =>
  /^[\w-]{11}$/.test(youtubeId) ? `https://www.youtube-nocookie.com/embed/${youtubeId}?autoplay=1&rel=0` : null

/** A day as date fields have it, at its beginning in UTC. */
export const dayOf = (iso: string): string => iso.slice(0, 10)
export const dayToTime = (day: string): string | undefined => (day ? `${day}T00:00:00Z` : undefined)
