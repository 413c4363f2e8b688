/** Whether the entry before this one in the browser's history is a page of this application. */
export function cameFromHere(key: string): boolean {
  // The router counts its entries in the browser's history; without one the first place has no key of its own.
  const { idx } = (window.history.state ?? {}) as { idx?: number }
  return idx === undefined ? key !== 'default' : idx > 0
}
