import { useSyncExternalStore } from 'react'

/** Interval between health checks while the server is unreachable. It doubles up to the maximum. */
const FIRST_DELAY_MS = 2000
const MAX_DELAY_MS = 15_000
/** A health check that takes longer has failed. */
const CHECK_TIMEOUT_MS = 8000

let lost = false
let nextCheck: ReturnType<typeof setTimeout> | undefined
let delay = FIRST_DELAY_MS
/** Generation counter of `resetConnection`: results of older health checks are dropped. */
let generation = 0
const listeners = new Set<() => void>()
const reconnectListeners = new Set<() => void>()

function set(next: boolean): void {
  if (lost === next) return
  lost = next
  for (const listener of listeners) listener()
  if (!lost) for (const listener of reconnectListeners) listener()
}

export const isConnectionLost = (): boolean => lost || navigator.onLine === false

/** Whether the server answers at all, with any status. */
async function isReachable(): Promise<boolean> {
  if (navigator.onLine === false) return false
  const controller = new AbortController()
  const timeout = setTimeout(() => controller.abort(), CHECK_TIMEOUT_MS)
  try {
    await globalThis.fetch(new Request(new URL('/api/health', window.location.origin), { signal: controller.signal }))
    return true
  } catch {
    return false
  } finally {
    clearTimeout(timeout)
  }
}

/** Checks the server now, and again until it answers. */
export async function checkConnection(): Promise<void> {
  clearTimeout(nextCheck)
  const startedIn = generation
  const reachable = await isReachable()
  if (startedIn !== generation) return
  clearTimeout(nextCheck)
  nextCheck = undefined
  set(!reachable)
  if (reachable) {
    delay = FIRST_DELAY_MS
    return
  }
  nextCheck = setTimeout(() => void checkConnection(), delay)
  delay = Math.min(delay * 2, MAX_DELAY_MS)
}

/** Schedules a health check after a failed request. One failure proves nothing: leaving a page aborts its requests. */
export function noteFailedRequest(): void {
  if (nextCheck !== undefined || lost) return
  nextCheck = setTimeout(() => void checkConnection(), 0)
}

/** Resets to the state of a fresh page and stops checking. */
export function resetConnection(): void {
  generation += 1
  clearTimeout(nextCheck)
  nextCheck = undefined
  delay = FIRST_DELAY_MS
  set(false)
}

/** Calls `listener` when the server is reachable again. */
export function onReconnect(listener: () => void): () => void {
  reconnectListeners.add(listener)
  return () => {
    reconnectListeners.delete(listener)
  }
}

/** Follows the browser's online and offline events. */
export function watchNetwork(): void {
  window.addEventListener('offline', () => void checkConnection())
  window.addEventListener('online', () => void checkConnection())
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const useConnectionLost = (): boolean => useSyncExternalStore(subscribe, () => lost)
