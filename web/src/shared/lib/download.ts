import { hearRefusal } from '@/shared/api/session-end'

/** Saves an address under a name. Fetching it first keeps the name even where the server would show the file. */
export async function download(url: string, name: string): Promise<void> {
  const response = await fetch(url, { credentials: 'same-origin' })
  if (!response.ok) {
    hearRefusal(response.status, undefined)
    throw new Error('Network response was not ok')
  }
  save(await response.blob(), name)
}

/** Saves data of the page under a name. */
export function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
