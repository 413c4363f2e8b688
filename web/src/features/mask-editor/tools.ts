import type { FillResult } from './engine/fill'

export type WorkerRequest =
  | { kind: 'read'; picture: ImageBitmap }
  | { kind: 'fill'; x: number; y: number; tolerance: number }
  | { kind: 'encode'; mask: Uint8Array }

export type WorkerResponse = { id: number; result?: unknown; error?: string }

/** Runs work in a web worker. One for each open picture; `close` ends it. */
export class WorkerClient {
  private readonly worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
  private readonly waiting = new Map<number, { answer: (result: unknown) => void; fail: (error: Error) => void }>()
  private lastId = 0

  constructor() {
    this.worker.onmessage = ({ data }: MessageEvent<WorkerResponse>) => {
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

  /** Passes the picture to the worker. Returns a mask of its transparent parts, if there are any. */
  read(picture: ImageBitmap): Promise<Uint8Array | null> {
    return this.ask({ kind: 'read', picture }, [picture])
  }

  fill(x: number, y: number, tolerance: number): Promise<FillResult> {
    return this.ask({ kind: 'fill', x, y, tolerance })
  }

  encode(mask: Uint8Array): Promise<Blob> {
    return this.ask({ kind: 'encode', mask })
  }

  close(): void {
    this.worker.terminate()
  }

  private ask<T>(ask: WorkerRequest, give: Transferable[] = []): Promise<T> {
    this.lastId += 1
    const id = this.lastId
    return new Promise((answer, fail) => {
      this.waiting.set(id, { answer: answer as (result: unknown) => void, fail })
      this.worker.postMessage({ ...ask, id }, give)
    })
  }
}
