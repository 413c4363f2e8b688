import { xsrfToken } from '@/shared/api/client'
import { errorFromResponse } from '@/shared/api/errors'
import { checkSessionEnd } from '@/shared/api/session-end'
import { save } from '@/shared/lib/download'
import { timestampName } from '@/shared/lib/format'

type FileTarget = { createWritable: () => Promise<WritableStream<Uint8Array>> }
type Picker = (options: { suggestedName: string; types: object[] }) => Promise<FileTarget>

/**
 * Downloads several pictures as one ZIP file. `onProgress` gets the received bytes. Writes to disk as a stream if the
 * browser can, else collects the file in memory. False if the user canceled the file dialog.
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
    checkSessionEnd(error.status, error.code)
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

/** The target file; `undefined` if the browser cannot stream, `null` if the user canceled. */
async function place(name: string): Promise<FileTarget | null | undefined> {
  const pick = (window as { showSaveFilePicker?: Picker }).showSaveFilePicker
  if (!pick) return undefined
  try {
    return await pick({ suggestedName: name, types: [{ accept: { 'application/zip': ['.zip'] } }] })
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError' ? null : undefined
  }
}
