import { useEffect } from 'react'
import { type Location, useLocation, useNavigationType } from 'react-router'

/** Storage key in which the router keeps scroll positions. */
const STORAGE_KEY = 'react-router-scroll-positions'
/** How long to wait for a page to reach its former height, and events that mean the reader scrolls themselves. */
const MAX_WAIT_MS = 5000
const USER_SCROLL_EVENTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/**
 * The key of a scroll position. The first entry after a full load has no key of its own, so its address is used:
 * otherwise the next page would start at this one's position.
 */
export const scrollKey = ({ key, pathname, search }: Pick<Location, 'key' | 'pathname' | 'search'>): string =>
  key === 'default' ? `first ${pathname}${search}` : key

/** A page opened by its address starts at the top. Reloads and back navigation restore the position. */
export function clearInitialScroll(): void {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (entry?.type !== 'navigate') return
  try {
    const kept = JSON.parse(window.sessionStorage.getItem(STORAGE_KEY) ?? '{}') as Record<string, unknown>
    const { pathname, search } = window.location
    delete kept[scrollKey({ key: 'default', pathname, search })]
    window.sessionStorage.setItem(STORAGE_KEY, JSON.stringify(kept))
  } catch {}
}

function storedPosition(key: string): number {
  try {
    const kept: unknown = JSON.parse(window.sessionStorage.getItem(STORAGE_KEY) ?? '{}')
    const at = (kept as Record<string, unknown>)[key]
    return typeof at === 'number' ? at : 0
  } catch {
    return 0
  }
}

/**
 * Restores the scroll position after a reload or back navigation. The router does so at once; this hook repeats it
 * while lists load and the page is still shorter than before.
 */
export function useScrollRestoration(): void {
  const location = useLocation()
  const { hash } = location
  const key = scrollKey(location)
  const came = useNavigationType()
  useEffect(() => {
    if (came !== 'POP' || hash) return
    const wanted = storedPosition(key)
    if (wanted <= 0) return
    const observer = new ResizeObserver(() => {
      const room = document.documentElement.scrollHeight - window.innerHeight
      if (room < wanted) return
      window.scrollTo(0, wanted)
      stop()
    })
    const timer = setTimeout(() => stop(), MAX_WAIT_MS)
    const stop = () => {
      observer.disconnect()
      clearTimeout(timer)
      for (const kind of USER_SCROLL_EVENTS) window.removeEventListener(kind, stop)
    }
    observer.observe(document.body)
    for (const kind of USER_SCROLL_EVENTS) window.addEventListener(kind, stop, { once: true, passive: true })
    return stop
  }, [key, hash, came])
}
