import { local } from '@/shared/lib/storage'

const KEY = 'vg.searches'
const KEPT = 8

/** What was searched for in this browser, the latest first. */
export const recentSearches = (): string[] => {
  const kept = local.getJson<unknown>(KEY)
  return Array.isArray(kept) ? kept.filter((words): words is string => typeof words === 'string').slice(0, KEPT) : []
}

export function remember(words: string): void {
  local.set(KEY, JSON.stringify([words, ...recentSearches().filter((known) => known !== words)].slice(0, KEPT)))
}

export const forgetSearches = (): void => local.remove(KEY)
