import { session } from '@/shared/lib/storage'

const KEY = 'vg.card'

/** What a person was doing who left to save a card. */
type GoingOn = {
  /** The page of this site where they go on. */
  path: string
  /** Whether the new card is the one to charge. */
  isDefault: boolean
}

/** Remembers where a person goes on after saving a card; `null` if it is on the page of cards. */
export function rememberGoingOn(next: GoingOn | null): void {
  if (next) session.set(KEY, JSON.stringify(next))
  else session.remove(KEY)
}

/** Reads it. Only pages of this site are accepted. */
export function goingOn(): GoingOn | null {
  const stored = session.getJson<Partial<GoingOn>>(KEY)
  const { path } = stored ?? {}
  return path && /^\/(?![/\\])/.test(path) ? { path, isDefault: stored?.isDefault === true } : null
}
