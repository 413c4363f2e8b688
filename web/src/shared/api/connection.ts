import { useSyncExternalStore } from 'react'

/** How long after a lost answer the server is asked whether it is there, each time a little longer. */
const ASK_FIRST_MS = 2000
const ASK_LAST_MS = 15_000
/** An answer that takes longer is none. */
const PATIENCE_MS = 8000

let lost = false
let asking: ReturnType<typeof setTimeout> | undefined
let pause = ASK_FIRST_MS
/** Counts `forgetConnection`: an answer to a question from before it says nothing. */
let opened = 0
const listeners = new Set<() => void>()
const returned = new Set<() => void>()

function set(next: boolean): void {
  if (lost === next) return
  lost = next
  for (const listener of listeners) listener()
  if (!lost) for (const listener of returned) listener()
}

/** Whether it is known that the server cannot be reached. */
export const isConnectionLost = (): boolean => lost || navigator.onLine === false

/** Whether the server answers at all; what it answers does not matter. */
async function reaches(): Promise<boolean> {
  if (navigator.onLine === false) return false
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), PATIENCE_MS)
  try {
    await globalThis.fetch(new Request(new URL('/api/health', window.location.origin), { signal: late.signal }))
    return true
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}

/** Asks the server now, and again by itself until it answers. */
export async function askConnection(): Promise<void> {
  clearTimeout(asking)
  const began = opened
  const there = await reaches()
  if (began !== opened) return
  clearTimeout(asking)
  asking = undefined
  set(!there)
  if (there) {
    pause = ASK_FIRST_MS
    return
  }
  asking = setTimeout(() => void askConnection(), pause)
  pause = Math.min(pause * 2, ASK_LAST_MS)
}

/** A request had no answer. One alone proves nothing: a page that is left breaks its requests off. */
export function noteNoAnswer(): void {
  if (asking !== undefined || lost) return
  asking = setTimeout(() => void askConnection(), 0)
}

/** Takes the server for there, as a page that has just been opened does, and asks no more. */
export function forgetConnection(): void {
  opened += 1
  clearTimeout(asking)
  asking = undefined
  pause = ASK_FIRST_MS
  set(false)
}

/** Called when the server is there again. */
export function onReturn(listener: () => void): () => void {
  returned.add(listener)
  return () => {
    returned.delete(listener)
  }
}

/** Hears of the browser's own network, from the first moment on. */
export function watchNetwork(): void {
  window.addEventListener('offline', () => void askConnection())
  window.addEventListener('online', () => void askConnection())
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Whether the server cannot be reached at the moment. */
export const useConnectionLost = (): boolean => useSyncExternalStore(subscribe, () => lost)
