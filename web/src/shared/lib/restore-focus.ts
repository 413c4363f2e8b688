/** How long to wait for a reloaded page, and how often to check. */
const TIMEOUT_MS = 5000
const INTERVAL_MS = 100

/** The place of an element in the content of the page. It stays valid when the page is rendered again. */
export type FocusPlace = { path: string; tag: string } | null

export function focusPlace(element: Element | null = document.activeElement): FocusPlace {
  const content = document.getElementById('content')
  if (!element || !content?.contains(element) || element === content) return null
  const steps: string[] = []
  for (let at: Element = element; at !== content && at.parentElement; at = at.parentElement) {
    const index = [...at.parentElement.children].indexOf(at) + 1
    steps.unshift(`${at.tagName.toLowerCase()}:nth-child(${index})`)
  }
  return { path: `#content > ${steps.join(' > ')}`, tag: element.tagName }
}

const isLost = () => document.activeElement === null || document.activeElement === document.body

/**
 * Focuses the element at `place` once it is rendered again, or the content of the page if there is none. Stops if the
 * user moves the focus.
 */
export function restoreFocus(place: FocusPlace): void {
  const startedAt = performance.now()
  let focused: Element | null = null
  const check = () => {
    const current = document.activeElement
    const movedAway = !isLost() && current !== focused && !current?.closest('[role=dialog]')
    if (movedAway) return stop()
    const target = place && document.querySelector<HTMLElement>(place.path)
    const timedOut = performance.now() - startedAt > TIMEOUT_MS
    if (isLost() && target && !target.matches(':disabled')) {
      target.focus({ preventScroll: true })
      focused = document.activeElement
    } else if (isLost() && (timedOut || !place)) {
      document.getElementById('content')?.focus({ preventScroll: true })
    }
    if (timedOut) stop()
  }
  const timer = setInterval(check, INTERVAL_MS)
  const stop = () => clearInterval(timer)
}
