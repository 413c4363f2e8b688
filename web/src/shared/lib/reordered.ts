/** The ids with `moved` taken to the place of `over`. */
export function reordered(ids: string[], moved: string, over: string): string[] {
  const to = ids.indexOf(over)
  if (!ids.includes(moved) || to < 0) return ids
  const rest = ids.filter((id) => id !== moved)
  return [...rest.slice(0, to), moved, ...rest.slice(to)]
}
