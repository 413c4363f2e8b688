import { xsrfToken } from '@/shared/api/client'
import { errorFromResponse } from '@/shared/api/errors'
import { hearRefusal } from '@/shared/api/session-end'
import { save } from '@/shared/lib/download'
import { timestampName } from '@/shared/lib/format'

/** A file that the browser writes while it arrives, where the browser can do that. */
type FileTarget = { createWritable: () => Promise<WritableStream<Uint8Array>> }
type Picker = (options: { suggestedName: string; types: object[] }) => Promise<FileTarget>

/**
 * Downloads several pictures as one ZIP file. `onProgress` is told how many bytes have come. Where the browser can
 * write to a file it does so piece by piece; elsewhere the file is put together in memory. False where the person
 * chose no place for it.
 */
export async function downloadArchive(
  ids: string[],
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const name = `${timestampName()}.zip`
  const target = await place(name)
  if (target === null) return false
  const response = await fetch(
    new Request(new URL('/api/general/output-asset/zip', window.location.origin), {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json', 'X-XSRF-TOKEN': xsrfToken() },
      body: JSON.stringify({ ids }),
      signal,
    }),
  )
  if (!response.ok) {
    const error = await errorFromResponse(response)
    hearRefusal(error.status, error.code)
    throw error
  }
  if (!response.body) throw new Error('Network response was not ok')
  let bytes = 0
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        bytes += piece.byteLength
        onProgress(bytes)
        controller.enqueue(piece)
      },
    }),
  )
  if (target) await counted.pipeTo(await target.createWritable(), { signal })
  else save(await new Response(counted, { headers: { 'content-type': 'application/zip' } }).blob(), name)
  return true
}

/** Where to write; `undefined` where the browser cannot, `null` where the person chose nothing. */
async function place(name: string): Promise<FileTarget | null | undefined> {
  const pick = (window as { showSaveFilePicker?: Picker }).showSaveFilePicker
  if (!pick) return undefined
  try {
    return await pick({ suggestedName: name, types: [{ accept: { 'application/zip': ['.zip'] } }] })
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError' ? null : undefined
  }
}
