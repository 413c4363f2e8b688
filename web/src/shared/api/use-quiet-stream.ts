import { useEffect } from 'react'
import { shareStream } from './tab-stream'

/**
 * Keeps a live stream open while the page is in sight: a browser has few connections to one host, and pages in the
 * background must not take them from the visible one, nor from a job that is watched. `open` must be stable.
 */
export function useQuietStream(active: boolean, open: () => EventSource): void {
  useEffect(() => {
    if (!active || typeof EventSource === 'undefined') return
    let source: EventSource | null = null
    const listen = () => {
      source = open()
    }
    const close = () => {
      source?.close()
      source = null
    }
    let leave: (() => void) | null = null
    const change = () => {
      leave?.()
      leave = document.visibilityState === 'visible' ? shareStream(listen, close) : null
    }
    change()
    document.addEventListener('visibilitychange', change)
    return () => {
      document.removeEventListener('visibilitychange', change)
      leave?.()
    }
  }, [active, open])
}
