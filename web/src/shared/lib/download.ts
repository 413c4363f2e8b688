import { checkSessionEnd } from '@/shared/api/session-end'

/** Downloads a URL under a file name. Fetching keeps the name even if the server would display the file. */
export async function download(url: string, name: string): Promise<void> {
  const response = await fetch(url, { credentials: 'same-origin' })
  if (!response.ok) {
    checkSessionEnd(response.status, undefined)
    throw new Error('Network response was not ok')
  }
  save(await response.blob(), name)
}

export function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
