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
 * Whether the user has interacted with the page: pointer, scroll or key. What is only needed then is not loaded while
 * the page itself loads.
 */
export const useFirstInteraction = (): boolean => useSyncExternalStore(subscribe, () => woken)
