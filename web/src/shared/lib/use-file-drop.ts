import { useEffect, useRef, useState } from 'react'

/** Browsers report a file above the page several times in this time. */
const GONE_MS = 250

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false

/**
 * Takes files that are dropped anywhere on the page, except on a part that takes them itself and beside an open layer.
 * Returns whether a file is above the page.
 */
export function useFileDrop(onFile: (file: File) => void): boolean {
  const [over, setOver] = useState(false)
  const latest = useRef(onFile)
  latest.current = onFile
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = () => {
      clearTimeout(timer)
      setOver(false)
    }
    const isForUs = (event: DragEvent) =>
      hasFiles(event) && !event.defaultPrevented && document.querySelector('[aria-modal=true]') === null
    const move = (event: DragEvent) => {
      if (!isForUs(event)) return
      event.preventDefault()
      setOver(true)
      clearTimeout(timer)
      timer = setTimeout(end, GONE_MS)
    }
    const drop = (event: DragEvent) => {
      if (!isForUs(event)) return
      // The browser would open the file instead of the page.
      event.preventDefault()
      end()
      const file = event.dataTransfer?.files[0]
      if (file) latest.current(file)
    }
    window.addEventListener('dragover', move)
    window.addEventListener('drop', drop)
    return () => {
      end()
      window.removeEventListener('dragover', move)
      window.removeEventListener('drop', drop)
    }
  }, [])
  return over
}
