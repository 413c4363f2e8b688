import { describe, expect, it } from 'vitest'
import { browserOf, cropOf, PORTRAIT_BYTES, portraitProblem } from './model'

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

describe('a browser', () => {
  const mozilla = 'Mozilla/5.0'
  it.each([
    [`${mozilla} (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0`, 'Edge', 'Windows'],
    [`${mozilla} (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36`, 'Chrome', 'Android'],
    [`${mozilla} (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1`, 'Safari', 'iOS'],
    [`${mozilla} (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15`, 'Safari', 'macOS'],
    [`${mozilla} (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Whale/4.0 Safari/537.36`, 'Whale', 'Windows'],
    [`${mozilla} (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`, 'Firefox', 'Linux'],
  ])('%s is known', (agent, browser, system) => {
    expect(browserOf(agent)).toEqual({ browser, system })
  })

  it('may be nothing that anybody knows', () => {
    expect(browserOf('curl/8')).toEqual({})
    expect(browserOf(null)).toEqual({})
  })
})
