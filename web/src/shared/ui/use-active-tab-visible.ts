import { useLayoutEffect, useRef } from 'react'

/** Scrolls a row of tabs horizontally until the active one is visible. The ref goes on the row. */
export function useActiveTabVisible<E extends HTMLElement>(active: string) {
  const row = useRef<E>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the active tab changes.
  useLayoutEffect(() => {
    const list = row.current
    const tab = list?.querySelector<HTMLElement>('[aria-selected="true"], [aria-current="page"]')
    if (!list || !tab) return
    const [outer, inner] = [list.getBoundingClientRect(), tab.getBoundingClientRect()]
    if (inner.left < outer.left) list.scrollLeft -= outer.left - inner.left
    else if (inner.right > outer.right) list.scrollLeft += inner.right - outer.right
  }, [active])
  return row
}
