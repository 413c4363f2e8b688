import type { Filled } from './engine/fill'

export type Ask =
  | { kind: 'read'; picture: ImageBitmap }
  | { kind: 'fill'; x: number; y: number; tolerance: number }
  | { kind: 'encode'; mask: Uint8Array }

export type Answer = { id: number; result?: unknown; error?: string }

/** What is done beside the page. One for each picture that is open; `close` ends it. */
export class Tools {
  private readonly worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
  private readonly waiting = new Map<number, { answer: (result: unknown) => void; fail: (error: Error) => void }>()
  private asked = 0

  constructor() {
    this.worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      const waiting = this.waiting.get(data.id)
      this.waiting.delete(data.id)
      if (data.error === undefined) waiting?.answer(data.result)
      else waiting?.fail(new Error(data.error))
    }
    this.worker.onerror = ({ message }) => {
      for (const { fail } of this.waiting.values()) fail(new Error(message))
      this.waiting.clear()
    }
  }

  /** Takes the picture over. Gives the mask that its transparent parts are, where it has any. */
  read(picture: ImageBitmap): Promise<Uint8Array | null> {
    return this.ask({ kind: 'read', picture }, [picture])
  }

  fill(x: number, y: number, tolerance: number): Promise<Filled> {
    return this.ask({ kind: 'fill', x, y, tolerance })
  }

  encode(mask: Uint8Array): Promise<Blob> {
    return this.ask({ kind: 'encode', mask })
  }

  close(): void {
    this.worker.terminate()
  }

  private ask<T>(ask: Ask, give: Transferable[] = []): Promise<T> {
    this.asked += 1
    const id = this.asked
    return new Promise((answer, fail) => {
      this.waiting.set(id, { answer: answer as (result: unknown) => void, fail })
      this.worker.postMessage({ ...ask, id }, give)
    })
  }
}
