import {
  type KeyboardEvent as ReactKeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

/** The open layers that Escape closes; the topmost is last. */
const layers: { close: () => void }[] = []

function closeTopmost(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
  const top = layers.at(-1)
  if (!top) return
  // Listeners below do not see the key, and the browser does not close its own dialog a second time.
  event.preventDefault()
  event.stopImmediatePropagation()
  top.close()
}

/**
 * Closes a layer by Escape while it is `open`. Only the layer that opened last gets the key. A menu or text field inside
 * a layer that handles Escape itself calls `preventDefault`.
 */
export function useEscape(open: boolean, close: () => void): void {
  const latest = useRef(close)
  latest.current = close
  // A layout effect listens before the layer is painted, so an immediate key press is not lost.
  useLayoutEffect(() => {
    if (!open) return
    const layer = { close: () => latest.current() }
    if (layers.length === 0) document.addEventListener('keydown', closeTopmost)
    layers.push(layer)
    return () => {
      layers.splice(layers.indexOf(layer), 1)
      if (layers.length === 0) document.removeEventListener('keydown', closeTopmost)
    }
  }, [open])
}

/** Moves the focus into a layer when it opens, and back to the element that opened it when it closes. */
export function useLayerFocus(layer: RefObject<HTMLElement | null>): void {
  // Read during the first render: an `autoFocus` field takes the focus before effects run.
  const [opener] = useState(() => document.activeElement)
  useEffect(() => {
    if (!layer.current?.contains(document.activeElement)) layer.current?.focus({ preventScroll: true })
    return () => {
      const lost = document.activeElement === null || document.activeElement === document.body
      if (lost && opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    }
  }, [layer, opener])
}

/** Keeps the page in place while a layer hides the scrollbar: the body gets the scrollbar's width as padding. */
export function useScrollbarRoom(): void {
  // Read during the first render, when the scrollbar is still there. Below another layer there is none.
  const [width] = useState(() => window.innerWidth - document.documentElement.clientWidth)
  useLayoutEffect(() => {
    if (width <= 0) return
    const { style } = document.body
    const before = style.paddingInlineEnd
    style.paddingInlineEnd = `${width}px`
    return () => {
      style.paddingInlineEnd = before
    }
  }, [width])
}

const FOCUSABLE =
  'button:not(:disabled, [tabindex="-1"]), a[href], summary, video[controls], input:not(:disabled, [type=hidden]), select:not(:disabled), textarea:not(:disabled), [contenteditable=true], [tabindex="0"]'

/** Keeps Tab inside a layer: after the last element comes the first. */
export function keepFocus(event: ReactKeyboardEvent, layer: HTMLElement | null): void {
  if (event.key !== 'Tab' || !layer?.contains(event.target as Node)) return
  const all = [...layer.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((one) => one.checkVisibility?.() !== false)
  const [edge, target] = event.shiftKey ? [all[0], all.at(-1)] : [all.at(-1), all[0]]
  if (document.activeElement !== edge && document.activeElement !== layer) return
  event.preventDefault()
  target?.focus()
}
