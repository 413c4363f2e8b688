import { describe, expect, it } from 'vitest'
import { pan, pointAt, unitsPerPixel, viewAround, zoomBy } from './graph-view'

const view = { x: 0, y: 0, width: 1000, height: 500 }
const stage = { width: 500, height: 500 }

describe('the view of a graph', () => {
  it('centres on a requested node', () => {
    const { x, y, width, height } = viewAround({
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

  it('zooms around the pointer', () => {
    const point = { x: 125, y: 300 }
    const before = pointAt(view, stage, point)
    const after = pointAt(zoomBy(view, 2, before), stage, point)
    expect(after.x).toBeCloseTo(before.x)
    expect(after.y).toBeCloseTo(before.y)
  })

  it('has zoom limits', () => {
    let near = view
    let far = view
    for (let step = 0; step < 100; step += 1) [near, far] = [zoomBy(near, 2), zoomBy(far, 0.5)]
    expect(near.width).toBe(200)
    expect(far.width).toBe(40_000)
    expect(near.height / near.width).toBeCloseTo(0.5)
  })

  it('pans with the pointer', () => {
    const units = unitsPerPixel(view, stage)
    expect(units).toBe(2)
    expect(pan(view, 10 * units, 0).x).toBe(-20)
  })
})
