import { useEffect, useRef } from 'react'

/** Passes files that are pasted anywhere on the page. `onFiles` returns whether it takes them. */
export function usePastedFiles(onFiles: (files: File[]) => boolean): void {
  const latest = useRef(onFiles)
  latest.current = onFiles
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])]
      if (files.length > 0 && latest.current(files)) event.preventDefault()
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [])
}
