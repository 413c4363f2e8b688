/** Whether people asked their system for less that moves. */
const wantsStill = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches

/** Scrolls just so far that the beginning of something is in the window; not at all where it is. */
export function bringIntoSight(element: HTMLElement | null): void {
  if (!element) return
  const { top, bottom } = element.getBoundingClientRect()
  const begins = top >= 0 && top < window.innerHeight * 0.6
  const fits = top >= 0 && bottom <= window.innerHeight
  if (begins || fits) return
  element.scrollIntoView({ block: 'start', behavior: wantsStill() ? 'auto' : 'smooth' })
}
