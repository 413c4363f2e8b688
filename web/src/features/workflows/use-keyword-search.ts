import { useNavigate } from 'react-router'
import { paths } from '@/shared/lib/paths'
import { local } from '@/shared/lib/storage'

export function useKeywordSearch(): (words: string) => void {
  const navigate = useNavigate()
  return (words) => {
    if (!words) return
    remember(words)
    void navigate(paths.search({ q: words }))
  }
}

const KEY = 'vg.searches'
const KEPT = 8

export const recentSearches = (): string[] => {
  const kept = local.getJson<unknown>(KEY)
  return Array.isArray(kept) ? kept.filter((words): words is string => typeof words === 'string').slice(0, KEPT) : []
}

function remember(words: string): void {
  local.set(KEY, JSON.stringify([words, ...recentSearches().filter((known) => known !== words)].slice(0, KEPT)))
}

export const forgetSearches = (): void => local.remove(KEY)
