/** Neighbours that one author may have in a feed. */
const NEIGHBOURS = 2

/**
 * The pages of a feed as one list in which nobody has more than two places beside each other, as long as there is anybody
 * else: who has had two waits for the next one by another. Only within a page, so that nothing moves when the next one
 * comes.
 */
export function spread<T>(pages: T[][], authorOf: (item: T) => string | undefined): T[] {
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
