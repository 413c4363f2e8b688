import { useLayoutEffect, useRef } from 'react'

/** What Esc closes, the topmost last. */
const layers: { close: () => void }[] = []

function keys(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
  const top = layers.at(-1)
  if (!top) return
  // Nothing below hears of it, and the browser's own dialog does not close twice.
  event.preventDefault()
  event.stopImmediatePropagation()
  top.close()
}

/**
 * Takes the Escape key while `open`: of everything that could close, the layer that came last does, and only that one.
 * The key stops there. What has an Escape of its own inside a layer (a menu, a text) takes it first by `preventDefault`.
 */
export function useEscape(open: boolean, close: () => void): void {
  const latest = useRef(close)
  latest.current = close
  // Before the layer is seen: a key that is pressed at once must not be lost.
  useLayoutEffect(() => {
    if (!open) return
    const layer = { close: () => latest.current() }
    if (layers.length === 0) document.addEventListener('keydown', keys)
    layers.push(layer)
    return () => {
      layers.splice(layers.indexOf(layer), 1)
      if (layers.length === 0) document.removeEventListener('keydown', keys)
    }
  }, [open])
}
