import { act, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { renderApp } from '@/shared/testing/render'
import { Picture } from './picture'

const SLOTS = [{ upTo: 767, wide: '50vw' }, { wide: '300px' }]
const shown = () => screen.getByRole<HTMLImageElement>('img')

describe('a picture', () => {
  it('offers its editions if its width is known', () => {
    const natural = { width: 1024, height: 1024 }
    renderApp(<Picture src="/media/optimal/a.png" alt="waves" ratio={1} slots={SLOTS} natural={natural} />)
    expect(shown().srcset).toBe('/media/w480/a.png 480w, /media/w960/a.png 960w, /media/optimal/a.png 1024w')
    expect(shown().sizes).toBe('(max-width: 767px) 50vw, 300px')
    expect(shown().getAttribute('loading')).toBe('lazy')
  })

  it('has no editions if its width is unknown', () => {
    renderApp(<Picture src="/media/optimal/a.png" alt="waves" eager />)
    expect([shown().getAttribute('srcset'), shown().getAttribute('sizes')]).toEqual([null, null])
    expect([shown().getAttribute('src'), shown().getAttribute('loading')]).toEqual(['/media/optimal/a.png', 'eager'])
  })

  it('falls back to the original if an edition fails', () => {
    renderApp(<Picture src="/media/optimal/a.png" fallback="/media/raw/a.png" alt="waves" slots={SLOTS} />)
    fireEvent.error(shown())
    expect(shown().getAttribute('src')).toBe('/media/raw/a.png')
    expect(shown().getAttribute('srcset')).toBeNull()
  })

  it('is requested again after a failure, once', () => {
    vi.useFakeTimers()
    renderApp(<Picture src="/media/raw/a.png" alt="waves" />)
    const first = shown()
    fireEvent.error(first)
    act(() => void vi.advanceTimersByTime(2000))
    expect(shown()).not.toBe(first)
    expect(shown().getAttribute('src')).toBe('/media/raw/a.png')
    fireEvent.error(shown())
    expect(screen.queryByRole('img')).toBeNull()
    expect(screen.getByText('waves')).toBeTruthy()
    vi.useRealTimers()
  })
})
