import { useCallback, useSyncExternalStore } from 'react'

export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
}

/** The width from which the side navigation replaces the drawer. */
export const WIDE = '(min-width: 1024px)'

/** The width from which the node editor is usable. */
export const EDITOR_WIDE = '(min-width: 768px)'
