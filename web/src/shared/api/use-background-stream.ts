import { useEffect } from 'react'
import { shareBackgroundStream } from './tab-stream'

/**
 * Keeps a live stream open while the page is visible. Browsers allow few connections to one host, so background tabs
 * must not take them from the visible tab or from a watched job. `open` must be stable.
 */
export function useBackgroundStream(active: boolean, open: () => EventSource): void {
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
      leave = document.visibilityState === 'visible' ? shareBackgroundStream(listen, close) : null
    }
    change()
    document.addEventListener('visibilitychange', change)
    return () => {
      document.removeEventListener('visibilitychange', change)
      leave?.()
    }
  }, [active, open])
}
