/** The items without duplicates: an item can move to the next page while that page loads. */
export function uniqueById<T extends { _id: string }>(items: T[]): T[] {
  const seen = new Set<string>()
  return items.filter(({ _id }) => !seen.has(_id) && seen.add(_id))
}
