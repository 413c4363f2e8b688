import { useEffect } from 'react'

/** Lets the browser ask before the tab is closed or reloaded. */
export function useUnloadQuestion(asks: boolean): void {
  useEffect(() => {
    if (!asks) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [asks])
}
