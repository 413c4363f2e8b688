/** A file that one page hands to the next one: an address cannot carry it. */
let handed: File | null = null

export function handFile(file: File): void {
  handed = file
}

/** Takes the file; null if there is none, or if it was taken. */
export function takeHandedFile(): File | null {
  const file = handed
  handed = null
  return file
}
