/** How long a page that was loaded again is waited for, and how often it is looked at. */
const WAITED_MS = 5000
const LOOKS_MS = 100

/** Where an element stands within the content of the page, whether or not it is drawn again meanwhile. */
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
 * Gives the focus back to a place once it is drawn again; to the content of the page where there is no such place. The
 * reader who moves the focus in between keeps it.
 */
export function focusAgain(place: FocusPlace): void {
  const began = performance.now()
  let given: Element | null = null
  const look = () => {
    const current = document.activeElement
    const away = !isLost() && current !== given && !current?.closest('[role=dialog]')
    if (away) return stop()
    const target = place && document.querySelector<HTMLElement>(place.path)
    const late = performance.now() - began > WAITED_MS
    if (isLost() && target && !target.matches(':disabled')) {
      target.focus({ preventScroll: true })
      given = document.activeElement
    } else if (isLost() && (late || !place)) {
      document.getElementById('content')?.focus({ preventScroll: true })
    }
    if (late) stop()
  }
  const timer = setInterval(look, LOOKS_MS)
  const stop = () => clearInterval(timer)
}
