import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { shareStream } from '@/shared/api/tab-stream'
import { hearOf } from './api/counts'

/**
 * Listens to news about the box while the page is in sight: a browser has few connections to one host, and pages in the
 * background must not take them from the one that is looked at; nor from a job that is watched. What was missed
 * meanwhile is told when it comes back.
 */
export function useLiveBox(active: boolean): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!active || typeof EventSource === 'undefined') return
    let source: EventSource | null = null
    const listen = () => {
      source = new EventSource('/api/general/notification-box/events')
      source.addEventListener('count', (message) => {
        const count = countIn((message as MessageEvent<string>).data)
        if (count !== null) void hearOf(client, count)
      })
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
  }, [active, client])
}

function countIn(text: string): number | null {
  try {
    const { count } = JSON.parse(text) as { count?: unknown }
    return typeof count === 'number' ? count : null
  } catch {
    return null
  }
}
