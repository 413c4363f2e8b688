import { vi } from 'vitest'

/** Everything that is observed is in the window, until the test ends. */
export function showAllInView(): void {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(private seen: (entries: { isIntersecting: boolean }[]) => void) {}
      observe() {
        this.seen([{ isIntersecting: true }])
      }
      disconnect() {}
    },
  )
}
