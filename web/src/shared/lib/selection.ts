/** What is selected of a list: some by their ids, or all that match its question, also those that are not loaded. */
export type Selection = { ids: ReadonlySet<string>; all: boolean; last: string | null }

export const NONE: Selection = { ids: new Set(), all: false, last: null }

/** Turns one over; with a range all from the last one that was turned to this one become as this one will be. */
export function turned(from: Selection, order: readonly string[], id: string, range: boolean): Selection {
  const ids = new Set(from.all ? order : from.ids)
  const on = !ids.has(id)
  const [a, b] = [range && from.last !== null ? order.indexOf(from.last) : -1, order.indexOf(id)]
  const touched = a < 0 || b < 0 ? [id] : order.slice(Math.min(a, b), Math.max(a, b) + 1)
  for (const one of touched) {
    if (on) ids.add(one)
    else ids.delete(one)
  }
  return { ids, all: false, last: id }
}

/** All that are loaded, or none where they are all selected already. */
export const turnedAll = (from: Selection, order: readonly string[]): Selection =>
  from.all || order.every((id) => from.ids.has(id)) ? NONE : { ids: new Set(order), all: false, last: null }

/** Without those that are gone from the list, so that nothing is done to what nobody sees. */
export const among = (from: Selection, order: readonly string[]): Selection =>
  [...from.ids].every((id) => order.includes(id))
    ? from
    : { ...from, ids: new Set(order.filter((id) => from.ids.has(id))) }
