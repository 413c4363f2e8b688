import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useQuietStream } from '@/shared/api/use-quiet-stream'
import { hearOf } from './api/counts'

/** Listens to news about the box while the page is in sight. What was missed is told when the stream opens again. */
export function useLiveBox(active: boolean): void {
  const client = useQueryClient()
  const open = useCallback(() => {
    const source = new EventSource('/api/general/notification-box/events')
    source.addEventListener('count', (message) => {
      const count = countIn((message as MessageEvent<string>).data)
      if (count !== null) void hearOf(client, count)
    })
    return source
  }, [client])
  useQuietStream(active, open)
}

function countIn(text: string): number | null {
  try {
    const { count } = JSON.parse(text) as { count?: unknown }
    return typeof count === 'number' ? count : null
  } catch {
    return null
  }
}
