import { describe, expect, it } from 'vitest'
import { cropOf, PORTRAIT_BYTES, portraitProblem } from './model'

describe('a picture for the account', () => {
  it('is an image of at most 10 MB, and no drawing that can hold scripts', () => {
    expect(portraitProblem({ type: 'image/png', size: PORTRAIT_BYTES })).toBeUndefined()
    expect(portraitProblem({ type: 'image/png', size: PORTRAIT_BYTES + 1 })).toBe('tooLarge')
    expect(portraitProblem({ type: 'text/html', size: 1 })).toBe('notAnImage')
    expect(portraitProblem({ type: 'image/svg+xml', size: 1 })).toBe('notAnImage')
  })

  it('is cut to a square inside the picture, at most 512 pixels wide', () => {
    const picture = { width: 2000, height: 1000 }
    expect(cropOf({ x: 500, y: 0, width: 1000, height: 1000 }, picture)).toEqual({
      x: 500,
      y: 0,
      width: 1000,
      height: 1000,
      side: 512,
    })
    // Rounding may put the corner a pixel outside.
    expect(cropOf({ x: 1001, y: -1, width: 1001, height: 1000 }, picture)).toMatchObject({ x: 1000, y: 0, width: 1000 })
    expect(cropOf({ x: 0, y: 0, width: 40, height: 40 }, { width: 40, height: 60 }).side).toBe(40)
  })
})
