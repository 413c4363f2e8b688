/** Consecutive items that one author may have in a feed. */
const NEIGHBOURS = 2

/**
 * Joins the pages of a feed and spreads authors: after two items of one author comes another author's, if there is one.
 * Only within a page, so that nothing moves when the next page loads.
 */
export function spreadAuthors<T>(pages: T[][], authorOf: (item: T) => string | undefined): T[] {
  const feed: T[] = []
  for (const page of pages) {
    const waiting = [...page]
    while (waiting.length > 0) {
      const last = feed.slice(-NEIGHBOURS).map(authorOf)
      const full = last.length === NEIGHBOURS && last[0] !== undefined && last.every((one) => one === last[0])
      const other = full ? waiting.findIndex((item) => authorOf(item) !== last[0]) : 0
      feed.push(...waiting.splice(Math.max(0, other), 1))
    }
  }
  return feed
}
