import { useEffect } from 'react'

/** Sets the title of the browser tab while the page is shown. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · Verdigraph` : 'Verdigraph'
  }, [title])
}
