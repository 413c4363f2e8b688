import { describe, expect, it } from 'vitest'
import { browserOf } from './browser-of'

describe('a browser', () => {
  const mozilla = 'Mozilla/5.0'
  it.each([
    [`${mozilla} (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0`, 'Edge', 'Windows'],
    [`${mozilla} (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36`, 'Chrome', 'Android'],
    [`${mozilla} (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1`, 'Safari', 'iOS'],
    [`${mozilla} (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15`, 'Safari', 'macOS'],
    [`${mozilla} (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Whale/4.0 Safari/537.36`, 'Whale', 'Windows'],
    [`${mozilla} (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`, 'Firefox', 'Linux'],
  ])('%s is recognised', (agent, browser, system) => {
    expect(browserOf(agent)).toEqual({ browser, system })
  })

  it('may be unknown', () => {
    expect(browserOf('curl/8')).toEqual({})
    expect(browserOf(null)).toEqual({})
  })
})
