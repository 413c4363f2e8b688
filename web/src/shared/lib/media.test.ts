import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CARD_SLOTS, editionsOf, sizesOf } from './media'

const ADDRESS = '/media/optimal/abc.png'

describe('the editions of a picture', () => {
  it('have their widths', () => {
    expect(editionsOf(ADDRESS, { width: 3000, height: 1500 })).toBe(
      '/media/w480/abc.png 480w, /media/w960/abc.png 960w, /media/optimal/abc.png 2048w',
    )
    expect(editionsOf(ADDRESS, { width: 1000, height: 4000 })).toBe(
      '/media/w480/abc.png 240w, /media/w960/abc.png 480w, /media/optimal/abc.png 512w',
    )
  })

  it('are not larger than the picture', () => {
    expect(editionsOf(ADDRESS, { width: 640, height: 640 })).toBe(
      '/media/w480/abc.png 480w, /media/optimal/abc.png 640w',
    )
    expect(editionsOf(ADDRESS, { width: 300, height: 200 })).toBe('/media/optimal/abc.png 300w')
  })

  it('are all listed for an unknown size, and none for another URL', () => {
    expect(editionsOf(ADDRESS, { width: null })).toContain('/media/w960/abc.png 960w')
    expect(editionsOf('data:image/gif;base64,R0', { width: 640, height: 640 })).toBeUndefined()
  })
})

describe('the requested width', () => {
  const slots = [{ upTo: 767, wide: '50vw' }, { wide: '300px' }]

  it('is that of the box', () => {
    expect(sizesOf(slots, { width: 640, height: 640 }, 1)).toBe('(max-width: 767px) 50vw, 300px')
    expect(sizesOf(slots, { width: 640, height: 900 }, 1)).toBe('(max-width: 767px) 50vw, 300px')
    expect(sizesOf(slots, { width: 1600, height: 900 }, undefined)).toBe('(max-width: 767px) 50vw, 300px')
  })

  it('is larger for a picture that is cropped at its sides', () => {
    expect(sizesOf(slots, { width: 1600, height: 900 }, 1)).toBe(
      '(max-width: 767px) calc((50vw) * 1.78), calc((300px) * 1.78)',
    )
  })
})

describe('the steps of the card grids', () => {
  it.each(['features/workflows/components/workflow-grid', 'features/mini-apps/components/app-card'])(
    'of %s match the sizes attribute of its pictures',
    (name) => {
      const css = readFileSync(`src/${name}.module.css`, 'utf8')
      const steps = [...css.matchAll(/\(max-width: (\d+)px\) \{\s*\.grid/g)].map(([, width]) => Number(width))
      const told = CARD_SLOTS.map((slot) => slot.upTo).filter((width) => width !== undefined)
      expect(steps.toSorted((a, b) => a - b)).toEqual(told)
      expect(told, 'five columns begin at 1,400 px').toContain(1399)
    },
  )
})
