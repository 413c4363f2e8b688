import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Picture } from './picture'

const play = vi.fn(async () => undefined)

beforeEach(() => {
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(play)
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockImplementation(() => undefined)
})

afterEach(() => {
  vi.restoreAllMocks()
  play.mockClear()
})

function reducedMotion(matches: boolean) {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) =>
      ({
        matches,
        media,
        addEventListener: () => undefined,
        removeEventListener: () => undefined,
      }) as unknown as MediaQueryList,
  )
}

const tile = (poster: string | null) => (
  <a href="/gallery/1">
    <Picture src="/media/raw/a.mp4" alt="waves" video poster={poster} />
  </a>
)
const film = () => document.querySelector('video')

test('a video with a poster loads on hover and returns to the poster', () => {
  reducedMotion(false)
  render(tile('/media/optimal/a.mp4'))
  expect(screen.getByRole('img', { name: 'waves' }).getAttribute('src')).toBe('/media/optimal/a.mp4')
  expect(film()).toBeNull()
  const link = screen.getByRole('link')
  fireEvent.pointerEnter(link)
  expect(film()?.getAttribute('src')).toBe('/media/raw/a.mp4')
  expect(play).toHaveBeenCalledTimes(1)
  fireEvent.pointerLeave(link)
  expect(film()).toBeNull()
})

test('a video plays while the link around it has the focus', () => {
  reducedMotion(false)
  render(tile('/media/optimal/a.mp4'))
  act(() => screen.getByRole('link').focus())
  expect(film()).not.toBeNull()
  act(() => screen.getByRole('link').blur())
  expect(film()).toBeNull()
})

test('a video without a poster shows its first frame and does not play', () => {
  reducedMotion(false)
  render(tile(null))
  expect(film()?.getAttribute('preload')).toBe('metadata')
  expect(film()?.getAttribute('aria-label')).toBe('waves')
  expect(play).not.toHaveBeenCalled()
})

test('reduced motion keeps videos still', () => {
  reducedMotion(true)
  render(tile('/media/optimal/a.mp4'))
  fireEvent.pointerEnter(screen.getByRole('link'))
  act(() => screen.getByRole('link').focus())
  expect(film()).toBeNull()
  expect(play).not.toHaveBeenCalled()
})

test('a failed poster is requested again', () => {
  vi.useFakeTimers()
  render(tile('/media/poster/a.webp'))
  const first = screen.getByRole('img')
  fireEvent.error(first)
  act(() => void vi.advanceTimersByTime(2000))
  expect(screen.getByRole('img')).not.toBe(first)
  expect(screen.getByRole('img').getAttribute('src')).toBe('/media/poster/a.webp')
  vi.useRealTimers()
})
