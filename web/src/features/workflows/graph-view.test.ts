import { describe, expect, it } from 'vitest'
import { around, panned, pointAt, unitsPerPixel, zoomed } from './graph-view'

const view = { x: 0, y: 0, width: 1000, height: 500 }
const stage = { width: 500, height: 500 }

describe('what of a graph is in sight', () => {
  it('has a node in its middle that was asked for', () => {
    const { x, y, width, height } = around({
      id: '1',
      title: '',
      x: 300,
      y: 100,
      width: 200,
      height: 60,
      hue: 0,
      facts: [],
      off: null,
    })
    expect([x + width / 2, y + height / 2]).toEqual([400, 130])
    expect(width).toBeGreaterThan(200)
  })

  it('comes nearer around the point that the pointer is at', () => {
    const point = { x: 125, y: 300 }
    const before = pointAt(view, stage, point)
    const after = pointAt(zoomed(view, 2, before), stage, point)
    expect(after.x).toBeCloseTo(before.x)
    expect(after.y).toBeCloseTo(before.y)
  })

  it('ends at both ends', () => {
    let near = view
    let far = view
    for (let step = 0; step < 100; step += 1) [near, far] = [zoomed(near, 2), zoomed(far, 0.5)]
    expect(near.width).toBe(200)
    expect(far.width).toBe(40_000)
    expect(near.height / near.width).toBeCloseTo(0.5)
  })

  it('follows the pointer by as much as it moves', () => {
    const units = unitsPerPixel(view, stage)
    expect(units).toBe(2)
    expect(panned(view, 10 * units, 0).x).toBe(-20)
  })
})
