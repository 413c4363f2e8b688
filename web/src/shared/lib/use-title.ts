import { useEffect } from 'react'

/** Sets the title of the browser tab while the page or layer is shown; the one below then has its title back. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    const before = document.title
    document.title = title ? `${title} · Verdigraph` : 'Verdigraph'
    return () => {
      document.title = before
    }
  }, [title])
}
