import { act } from '@testing-library/react'

/** Replaces EventSource, which jsdom lacks. */
export class FakeEvents extends EventTarget {
  static all: FakeEvents[] = []
  onopen: (() => void) | null = null
  onerror: (() => void) | null = null
  constructor(readonly url: string) {
    super()
    FakeEvents.all.push(this)
  }
  close() {}
  send(type: string, data: unknown) {
    act(() => void this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) })))
  }
}
