import type { QueryClient, QueryKey } from '@tanstack/react-query'

type Item = { _id: string }
type Paged<T> = { pages: { items: T[] }[] }

/** The key prefixes under which items of a kind are cached, in lists and as single items. */
export type CachedItems = { lists: readonly QueryKey[]; details: readonly QueryKey[] }

const isObject = (cached: unknown): cached is object => typeof cached === 'object' && cached !== null
const isPaged = (cached: unknown): cached is Paged<Item> => isObject(cached) && 'pages' in cached
const isPage = (cached: unknown): cached is { items: Item[] } =>
  isObject(cached) && 'items' in cached && Array.isArray(cached.items)

/** Applies `change` to the items of cached data. Returns the same object if no item changes. */
function mapItems(cached: unknown, change: (item: Item) => Item | null): unknown {
  if (isPaged(cached)) {
    const pages = cached.pages.map((page) => mapItems(page, change) as { items: Item[] })
    return pages.every((page, at) => page === cached.pages[at]) ? cached : { ...cached, pages }
  }
  if (!isPage(cached)) return cached
  const items = cached.items.flatMap((item) => change(item) ?? [])
  const isSame = items.length === cached.items.length && items.every((item, at) => item === cached.items[at])
  return isSame ? cached : { ...cached, items }
}

function each(
  client: QueryClient,
  { lists, details }: CachedItems,
  ids: readonly string[],
  change: (item: Item) => Item | null,
) {
  const one = (item: Item) => (ids.includes(item._id) ? change(item) : item)
  for (const queryKey of lists) client.setQueriesData<unknown>({ queryKey }, (cached: unknown) => mapItems(cached, one))
  for (const queryKey of details) {
    client.setQueriesData<unknown>({ queryKey }, (cached: unknown) =>
      isObject(cached) && '_id' in cached ? (one(cached as Item) ?? cached) : cached,
    )
  }
}

const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/**
 * Changes an item in all cached lists and details without reloading the lists, which would make them jump. The returned
 * function undoes the change. It restores only the fields that were set and still have the set value, so newer changes
 * of other users and newer server data stay.
 */
export function patchItem<T extends Item>(
  client: QueryClient,
  cached: CachedItems,
  ids: string | readonly string[],
  change: (item: T) => Partial<T>,
): () => void {
  const before = new Map<string, { fields: Partial<T>; set: Partial<T> }>()
  const all = typeof ids === 'string' ? [ids] : ids
  each(client, cached, all, (item) => {
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
    each(client, cached, [...before.keys()], (item) => {
      const was = before.get(item._id)
      if (!was) return item
      const back = (Object.keys(was.fields) as (keyof T)[]).filter((name) => same((item as T)[name], was.set[name]))
      return back.length === 0 ? item : { ...item, ...Object.fromEntries(back.map((name) => [name, was.fields[name]])) }
    })
}

/** Removes items from every cached list. `only` restricts which. */
export const dropItem = <T extends Item>(
  client: QueryClient,
  cached: CachedItems,
  ids: string | readonly string[],
  only: (item: T) => boolean = () => true,
): void =>
  each(client, { ...cached, details: [] }, typeof ids === 'string' ? [ids] : ids, (item) =>
    only(item as T) ? null : item,
  )
