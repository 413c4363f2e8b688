import { useEffect, useRef } from 'react'

/**
 * Passes files, or else words, that are pasted anywhere on the page. `onFiles` and `onWords` return whether they take
 * them.
 */
export function usePastedFiles(
  onFiles: (files: File[]) => boolean,
  onWords: (words: string) => boolean = () => false,
): void {
  const latest = useRef({ onFiles, onWords })
  latest.current = { onFiles, onWords }
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      // An inner part of the page has taken them.
      if (event.defaultPrevented) return
      const files = [...(event.clipboardData?.files ?? [])]
      const words = files.length === 0 ? (event.clipboardData?.getData('text/plain') ?? '') : ''
      const isTaken = files.length > 0 ? latest.current.onFiles(files) : words !== '' && latest.current.onWords(words)
      if (isTaken) event.preventDefault()
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [])
}
