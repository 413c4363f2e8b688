import { afterEach, describe, expect, it, vi } from 'vitest'
import { forgetFirstScroll, scrollKey } from './keep-scroll'

const KEPT = 'react-router-scroll-positions'
const first = (pathname: string) => scrollKey({ key: 'default', pathname, search: '' })
const loaded = (type: string) =>
  vi.stubGlobal('performance', Object.assign(performance, { getEntriesByType: () => [{ type }] }))
const kept = () => Object.keys(JSON.parse(sessionStorage.getItem(KEPT) ?? '{}'))

afterEach(() => {
  vi.unstubAllGlobals()
  sessionStorage.clear()
})

describe('the place on a page that was loaded in full', () => {
  it('is its own and not that of the page before', () => {
    expect(first('/apps')).not.toBe(first('/gallery'))
  })

  it('is the top where the page was opened by its address, and kept where it was reloaded', () => {
    const path = window.location.pathname
    sessionStorage.setItem(KEPT, JSON.stringify({ [first(path)]: 900, [first('/other')]: 40 }))
    loaded('reload')
    forgetFirstScroll()
    expect(kept()).toHaveLength(2)
    loaded('navigate')
    forgetFirstScroll()
    expect(kept()).toEqual([first('/other')])
  })
})
