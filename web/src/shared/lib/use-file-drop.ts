import { useEffect, useRef, useState } from 'react'
import { takeDropped } from './dropped-files'

/** Browsers report a file above the page several times in this time. */
const GONE_MS = 250

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false

/**
 * Takes files that are dropped anywhere on the page, except on a part that takes them itself and beside an open layer.
 * Returns whether a file is above the page. Does nothing while `isActive` is false.
 */
export function useFileDrop(onFiles: (files: File[]) => void, isActive = true): boolean {
  const [over, setOver] = useState(false)
  const latest = useRef(onFiles)
  latest.current = onFiles
  useEffect(() => {
    if (!isActive) return
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
      if (event.dataTransfer) takeDropped(event.dataTransfer, (files) => latest.current(files))
    }
    window.addEventListener('dragover', move)
    window.addEventListener('drop', drop)
    return () => {
      end()
      window.removeEventListener('dragover', move)
      window.removeEventListener('drop', drop)
    }
  }, [isActive])
  return over
}
