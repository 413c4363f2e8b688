import { useSyncExternalStore } from 'react'

const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'scroll', 'touchstart', 'wheel'] as const

let woken = false
const listeners = new Set<() => void>()

function wake(): void {
  if (woken) return
  woken = true
  for (const sign of SIGNS) window.removeEventListener(sign, wake, true)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (!woken && listeners.size === 0) {
    for (const sign of SIGNS) window.addEventListener(sign, wake, { capture: true, passive: true })
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/**
 * Whether somebody has touched the page since it was opened: moved, scrolled, pressed a key. What nobody needs before
 * is fetched then, and not while the page itself is on its way.
 */
export const useWoken = (): boolean => useSyncExternalStore(subscribe, () => woken)
