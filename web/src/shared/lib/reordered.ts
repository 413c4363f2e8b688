/** An order with one item moved by a drag from the place of one to the place of another. */
export function reordered(ids: string[], moved: string, over: string): string[] {
  const to = ids.indexOf(over)
  if (!ids.includes(moved) || to < 0) return ids
  const rest = ids.filter((id) => id !== moved)
  return [...rest.slice(0, to), moved, ...rest.slice(to)]
}
