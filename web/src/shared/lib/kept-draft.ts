import { local } from './storage'

/** What was typed and not saved, with the state of the thing that it was typed over. */
type Kept<Draft> = { draft: Draft; over: string }

/** The oldest drafts make room for new ones. */
const MOST = 20

/** Drafts of one kind in this browser: `name` begins the keys that they stand under. */
export function keptDrafts<Draft>(name: string) {
  const index = `${name}s`
  const key = (id: string) => `${name}.${id}`
  const known = () => local.getJson<string[]>(index) ?? []
  return {
    /** The draft, unless the thing was saved elsewhere since. */
    read: (id: string, over: string): Draft | null => {
      const kept = local.getJson<Kept<Draft>>(key(id))
      if (!kept) return null
      if (kept.over === over) return kept.draft
      local.remove(key(id))
      return null
    },
    keep: (id: string, over: string, draft: Draft): void => {
      local.set(key(id), JSON.stringify({ draft, over } satisfies Kept<Draft>))
      const others = known().filter((other) => other !== id)
      for (const old of others.slice(MOST - 1)) local.remove(key(old))
      local.set(index, JSON.stringify([id, ...others.slice(0, MOST - 1)]))
    },
    forget: (id: string): void => local.remove(key(id)),
    /** Drafts are of the person who leaves; they go with the session. */
    dropAll: (): void => {
      for (const id of known()) local.remove(key(id))
      local.remove(index)
    },
  }
}
