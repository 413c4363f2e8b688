import { afterEach, beforeEach, expect, it, vi } from 'vitest'

let fails = true

beforeEach(() => {
  vi.resetModules()
  vi.stubGlobal('fetch', () => Promise.resolve(new Response()))
  localStorage.setItem('vg.language', 'ko')
  vi.doMock('./locales/ko', () => {
    if (fails) throw new Error('the file did not come')
    return { default: { common: { close: '닫기' } } }
  })
})
afterEach(() => vi.doUnmock('./locales/ko'))

it('a page starts in English if the Korean texts fail, and switches when they load', async () => {
  vi.useFakeTimers()
  const { startI18n } = await import('./index')
  const { default: i18next } = await import('i18next')
  await startI18n('ko')
  expect(i18next.language).toBe('en')
  expect(document.documentElement.lang).toBe('en')
  fails = false
  vi.doMock('./locales/ko', () => ({ default: { common: { close: '닫기' } } }))
  await vi.advanceTimersByTimeAsync(10_000)
  vi.useRealTimers()
  await vi.waitFor(() => expect(i18next.language).toBe('ko'))
})
