import { useEffect } from 'react'

/** Sets the title of the tab while a page or layer is shown, then restores the previous one. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    const before = document.title
    document.title = title ? `${title} · Verdigraph` : 'Verdigraph'
    return () => {
      document.title = before
    }
  }, [title])
}
