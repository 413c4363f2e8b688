import { local } from './storage'

/** Unsaved input, with the state of the item that it was based on (`over`, as stored in browsers). */
type StoredDraft<Draft> = { draft: Draft; over: string }

/** Beyond this count the oldest drafts are removed. */
const MAX_DRAFTS = 20

/** Drafts of one kind in this browser. `name` is the prefix of their storage keys. */
export function draftStorage<Draft>(name: string) {
  const index = `${name}s`
  const key = (id: string) => `${name}.${id}`
  const ids = () => local.getJson<string[]>(index) ?? []
  return {
    /** The draft, unless the item has been saved elsewhere since. */
    read: (id: string, over: string): Draft | null => {
      const stored = local.getJson<StoredDraft<Draft>>(key(id))
      if (!stored) return null
      if (stored.over === over) return stored.draft
      local.remove(key(id))
      return null
    },
    keep: (id: string, over: string, draft: Draft): void => {
      local.set(key(id), JSON.stringify({ draft, over } satisfies StoredDraft<Draft>))
      const others = ids().filter((other) => other !== id)
      for (const old of others.slice(MAX_DRAFTS - 1)) local.remove(key(old))
      local.set(index, JSON.stringify([id, ...others.slice(0, MAX_DRAFTS - 1)]))
    },
    forget: (id: string): void => local.remove(key(id)),
    /** Removes all drafts at sign-out: they belong to the user. */
    dropAll: (): void => {
      for (const id of ids()) local.remove(key(id))
      local.remove(index)
    },
  }
}
