import { describe, expect, it } from 'vitest'
import { editionsOf, sizesOf } from './media'

const ADDRESS = '/media/optimal/abc.png'

describe('the editions of a picture', () => {
  it('are named with the widths that they have', () => {
    expect(editionsOf(ADDRESS, { width: 3000, height: 1500 })).toBe(
      '/media/w480/abc.png 480w, /media/w960/abc.png 960w, /media/optimal/abc.png 2048w',
    )
    expect(editionsOf(ADDRESS, { width: 1000, height: 4000 })).toBe(
      '/media/w480/abc.png 240w, /media/w960/abc.png 480w, /media/optimal/abc.png 512w',
    )
  })

  it('are no more than the picture has pixels for', () => {
    expect(editionsOf(ADDRESS, { width: 640, height: 640 })).toBe(
      '/media/w480/abc.png 480w, /media/optimal/abc.png 640w',
    )
    expect(editionsOf(ADDRESS, { width: 300, height: 200 })).toBe('/media/optimal/abc.png 300w')
  })

  it('are all of them where nobody knows its size, and none where the address is another', () => {
    expect(editionsOf(ADDRESS, { width: null })).toContain('/media/w960/abc.png 960w')
    expect(editionsOf('data:image/gif;base64,R0', { width: 640, height: 640 })).toBeUndefined()
  })
})

describe('the width that is asked for', () => {
  const slots = [{ upTo: 767, wide: '50vw' }, { wide: '300px' }]

  it('is that of the box', () => {
    expect(sizesOf(slots, { width: 640, height: 640 }, 1)).toBe('(max-width: 767px) 50vw, 300px')
    expect(sizesOf(slots, { width: 640, height: 900 }, 1)).toBe('(max-width: 767px) 50vw, 300px')
    expect(sizesOf(slots, { width: 1600, height: 900 }, undefined)).toBe('(max-width: 767px) 50vw, 300px')
  })

  it('is more for a picture that is cut at its sides', () => {
    expect(sizesOf(slots, { width: 1600, height: 900 }, 1)).toBe(
      '(max-width: 767px) calc((50vw) * 1.78), calc((300px) * 1.78)',
    )
  })
})
