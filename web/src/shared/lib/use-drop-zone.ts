import { type DragEvent, useState } from 'react'

/** Takes files dropped on an element; layers above it take their own. `over`: whether a file is above the element. */
export function useDropZone(onFiles: (files: File[]) => void) {
  const [over, setOver] = useState(false)
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
      onFiles([...event.dataTransfer.files])
    },
  }
  return { over, zone }
}
