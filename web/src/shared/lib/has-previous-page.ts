/** Whether the previous history entry is a page of this application. */
export function hasPreviousPage(key: string): boolean {
  // The router stores the entry's index in the history state. Without it, only the first entry has the key `default`.
  const { idx } = (window.history.state ?? {}) as { idx?: number }
  return idx === undefined ? key !== 'default' : idx > 0
}
