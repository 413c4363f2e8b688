import { useEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/** Where the router keeps how far each page was scrolled. */
const KEPT = 'react-router-scroll-positions'
/** How long a page may take to become as long as it was, and what says that its reader goes their own way. */
const PATIENCE_MS = 5000
const MOVES = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

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
  const { key, hash } = useLocation()
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
