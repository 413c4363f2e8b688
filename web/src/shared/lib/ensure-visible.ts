/** Whether the user prefers reduced motion. */
const wantsStill = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches

/** Scrolls the start of an element into view, if it is not visible. */
export function ensureVisible(element: HTMLElement | null): void {
  if (!element) return
  const { top, bottom } = element.getBoundingClientRect()
  const begins = top >= 0 && top < window.innerHeight * 0.6
  const fits = top >= 0 && bottom <= window.innerHeight
  if (begins || fits) return
  element.scrollIntoView({ block: 'start', behavior: wantsStill() ? 'auto' : 'smooth' })
}
