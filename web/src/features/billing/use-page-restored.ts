import { useEffect, useRef } from 'react'

/** Runs when the browser goes back to this page and shows it as it was left, without loading it. */
export function usePageRestored(act: () => void): void {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    const show = ({ persisted }: PageTransitionEvent) => {
      if (persisted) latest.current()
    }
    window.addEventListener('pageshow', show)
    return () => window.removeEventListener('pageshow', show)
  }, [])
}
