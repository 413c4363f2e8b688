import { type DragEvent, useRef, useState } from 'react'
import { takeDropped } from './dropped-files'

/** Takes files, and those of folders, dropped on an element; layers above it take their own. `over`: whether a file is above the element. */
export function useDropZone(onFiles: (files: File[]) => void) {
  const [over, setOver] = useState(false)
  // Reading a folder takes a moment, in which the page goes on.
  const latest = useRef(onFiles)
  latest.current = onFiles
  const zone = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      event.stopPropagation()
      setOver(true)
    },
    onDragLeave: (event: DragEvent) => {
      // Moving to a child leaves the parent for an instant.
      if (event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)) return
      setOver(false)
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      event.stopPropagation()
      setOver(false)
      takeDropped(event.dataTransfer, (files) => latest.current(files))
    },
  }
  return { over, zone }
}
