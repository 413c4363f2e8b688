import { afterEach, describe, expect, it, vi } from 'vitest'
import { clearInitialScroll, scrollKey } from './scroll-restoration'

const KEPT = 'react-router-scroll-positions'
const first = (pathname: string) => scrollKey({ key: 'default', pathname, search: '' })
const loaded = (type: string) =>
  vi.stubGlobal('performance', Object.assign(performance, { getEntriesByType: () => [{ type }] }))
const kept = () => Object.keys(JSON.parse(sessionStorage.getItem(KEPT) ?? '{}'))

afterEach(() => {
  vi.unstubAllGlobals()
  sessionStorage.clear()
})

describe('the scroll position of a fully loaded page', () => {
  it('is not that of the previous page', () => {
    expect(first('/apps')).not.toBe(first('/gallery'))
  })

  it('starts at the top for an opened address, and is kept over a reload', () => {
    const path = window.location.pathname
    sessionStorage.setItem(KEPT, JSON.stringify({ [first(path)]: 900, [first('/other')]: 40 }))
    loaded('reload')
    clearInitialScroll()
    expect(kept()).toHaveLength(2)
    loaded('navigate')
    clearInitialScroll()
    expect(kept()).toEqual([first('/other')])
  })
})
