import type { QueryClient, QueryKey } from '@tanstack/react-query'

type Item = { _id: string }
type Paged<T> = { pages: { items: T[] }[] }

/** Where items of a kind are held: lists and pages of lists, and single ones, by what their keys begin with. */
export type Held = { lists: readonly QueryKey[]; details: readonly QueryKey[] }

const isObject = (held: unknown): held is object => typeof held === 'object' && held !== null
const isPaged = (held: unknown): held is Paged<Item> => isObject(held) && 'pages' in held
const isPage = (held: unknown): held is { items: Item[] } =>
  isObject(held) && 'items' in held && Array.isArray(held.items)

/** What is held, with its items put through this; the very same where none of them changes. */
function mapItems(held: unknown, change: (item: Item) => Item | null): unknown {
  if (isPaged(held)) {
    const pages = held.pages.map((page) => mapItems(page, change) as { items: Item[] })
    return pages.every((page, at) => page === held.pages[at]) ? held : { ...held, pages }
  }
  if (!isPage(held)) return held
  const items = held.items.flatMap((item) => change(item) ?? [])
  const isSame = items.length === held.items.length && items.every((item, at) => item === held.items[at])
  return isSame ? held : { ...held, items }
}

function each(
  client: QueryClient,
  { lists, details }: Held,
  ids: readonly string[],
  change: (item: Item) => Item | null,
) {
  const one = (item: Item) => (ids.includes(item._id) ? change(item) : item)
  for (const queryKey of lists) client.setQueriesData<unknown>({ queryKey }, (held: unknown) => mapItems(held, one))
  for (const queryKey of details) {
    client.setQueriesData<unknown>({ queryKey }, (held: unknown) =>
      isObject(held) && '_id' in held ? (one(held as Item) ?? held) : held,
    )
  }
}

const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/**
 * Changes items wherever they are shown, without loading an open list anew: it would jump. What comes back takes the
 * change back: only the fields that it set, and only where they are still as it set them. What was changed meanwhile by
 * somebody else stays, and so does a list that came from the server meanwhile.
 */
export function patchItem<T extends Item>(
  client: QueryClient,
  held: Held,
  ids: string | readonly string[],
  change: (item: T) => Partial<T>,
): () => void {
  const before = new Map<string, { fields: Partial<T>; set: Partial<T> }>()
  const all = typeof ids === 'string' ? [ids] : ids
  each(client, held, all, (item) => {
    const old = item as T
    const set = change(old)
    const names = Object.keys(set) as (keyof T)[]
    if (names.every((name) => same(old[name], set[name]))) return item
    if (!before.has(old._id)) {
      before.set(old._id, { fields: Object.fromEntries(names.map((name) => [name, old[name]])) as Partial<T>, set })
    }
    return { ...old, ...set }
  })
  return () =>
    each(client, held, [...before.keys()], (item) => {
      const was = before.get(item._id)
      if (!was) return item
      const back = (Object.keys(was.fields) as (keyof T)[]).filter((name) => same((item as T)[name], was.set[name]))
      return back.length === 0 ? item : { ...item, ...Object.fromEntries(back.map((name) => [name, was.fields[name]])) }
    })
}

/** Takes items out of every list that shows them; `only` those of which this is true. */
export const dropItem = <T extends Item>(
  client: QueryClient,
  held: Held,
  ids: string | readonly string[],
  only: (item: T) => boolean = () => true,
): void =>
  each(client, { ...held, details: [] }, typeof ids === 'string' ? [ids] : ids, (item) =>
    only(item as T) ? null : item,
  )
