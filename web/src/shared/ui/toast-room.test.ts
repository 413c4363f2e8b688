import { describe, expect, it } from 'vitest'
import { roomFor } from './toast-room'

const box = (left: number, top: number, width: number, height: number) => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
})

describe('the room that a page makes for notices', () => {
  const notice = (height: number) => box(528, 44, 384, height)
  const title = box(412, 84, 400, 34)

  it('is none for a short notice, which ends above the title', () => {
    expect(roomFor(notice(32), [title], 900)).toBe(0)
  })

  it('is as much as a long one would cover of the title', () => {
    expect(roomFor(notice(96), [title], 900)).toBe(44 + 96 + 8 - 84)
  })

  it('is none where titles and buttons stand beside the notice or far below it', () => {
    expect(roomFor(notice(96), [box(16, 84, 200, 34), box(1300, 84, 100, 40), box(528, 600, 384, 34)], 900)).toBe(0)
  })

  it('is what the first of several needs', () => {
    expect(roomFor(notice(96), [box(600, 100, 50, 40), title], 900)).toBe(64)
  })
})
