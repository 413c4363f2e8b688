import { useEffect } from 'react'
import { type Location, useLocation, useNavigationType } from 'react-router'

/** Where the router keeps how far each page was scrolled. */
const KEPT = 'react-router-scroll-positions'
/** How long a page may take to become as long as it was, and what says that its reader goes their own way. */
const PATIENCE_MS = 5000
const MOVES = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/**
 * What the place on a page is kept by. The first entry after a full load has no key of its own: it is kept by its address,
 * so that the page loaded next does not begin where this one was.
 */
export const scrollKey = ({ key, pathname, search }: Pick<Location, 'key' | 'pathname' | 'search'>): string =>
  key === 'default' ? `first ${pathname}${search}` : key

/** A page that was opened by its address begins at its top; one that was reloaded or come back to goes on. */
export function forgetFirstScroll(): void {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (entry?.type !== 'navigate') return
  try {
    const kept = JSON.parse(window.sessionStorage.getItem(KEPT) ?? '{}') as Record<string, unknown>
    const { pathname, search } = window.location
    delete kept[scrollKey({ key: 'default', pathname, search })]
    window.sessionStorage.setItem(KEPT, JSON.stringify(kept))
  } catch {
    // Without storage nothing was kept.
  }
}

function keptAt(key: string): number {
  try {
    const kept: unknown = JSON.parse(window.sessionStorage.getItem(KEPT) ?? '{}')
    const at = (kept as Record<string, unknown>)[key]
    return typeof at === 'number' ? at : 0
  } catch {
    return 0
  }
}

/**
 * Brings a page that was loaded anew, or that somebody came back to, to where it was. The router does so at once; a
 * page whose lists are still on their way is not yet that long, and is followed until it is.
 */
export function useKeptScroll(): void {
  const location = useLocation()
  const { hash } = location
  const key = scrollKey(location)
  const came = useNavigationType()
  useEffect(() => {
    if (came !== 'POP' || hash) return
    const wanted = keptAt(key)
    if (wanted <= 0) return
    const observer = new ResizeObserver(() => {
      const room = document.documentElement.scrollHeight - window.innerHeight
      if (room < wanted) return
      window.scrollTo(0, wanted)
      stop()
    })
    const timer = setTimeout(() => stop(), PATIENCE_MS)
    const stop = () => {
      observer.disconnect()
      clearTimeout(timer)
      for (const kind of MOVES) window.removeEventListener(kind, stop)
    }
    observer.observe(document.body)
    for (const kind of MOVES) window.addEventListener(kind, stop, { once: true, passive: true })
    return stop
  }, [key, hash, came])
}
