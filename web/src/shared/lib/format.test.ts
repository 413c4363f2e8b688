import { describe, expect, it, vi } from 'vitest'
import {
  formatBytes,
  formatCount,
  formatDate,
  formatDuration,
  formatRelative,
  formatUtc,
  timestampName,
} from './format'

describe('formats of the specification', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1.0K'],
    [1250, '1.2K'],
    [99_999, '99.9K'],
    [100_000, '99K+'],
  ])('counts %i as %s', (count, text) => expect(formatCount(count)).toBe(text))

  it.each([
    [800, '0.8s'],
    [42_900, '42s'],
    [61_000, '1m 1s'],
    [3_723_000, '1h 2m 3s'],
    [12, '12ms'],
    [0.2, '1ms'],
    [50, '0.1s'],
  ])('writes %i ms as %s', (ms, text) => expect(formatDuration(ms)).toBe(text))

  it.each([
    [999, '999 B'],
    [1000, '1.0 kB'],
    [20_971_520, '21 MB'],
  ])('writes %i bytes as %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))

  it('shows relative times up to months and a date beyond a year', () => {
    const now = Date.parse('2026-11-20T12:00:00Z')
    expect(formatRelative('2026-11-20T11:57:00Z', 'en', now)).toBe('3 minutes ago')
    expect(formatRelative('2026-08-20T12:00:00Z', 'en', now)).toBe('3 months ago')
    expect(formatRelative('2026-11-20T11:57:00Z', 'ko', now)).toBe('3분 전')
    expect(formatRelative('2024-05-07T12:00:00Z', 'en', now)).toBe('2024.05.07')
  })

  it('uses local time for dates and downloads', () => {
    const date = new Date(2026, 0, 2, 3, 4, 5)
    expect(formatDate(date.toISOString())).toBe('2026.01.02')
    expect(timestampName(date)).toBe('20260102_030405')
  })
})

it('times of the accounts are in UTC', () => {
  vi.stubEnv('TZ', 'Asia/Seoul')
  expect(formatUtc('2026-11-21T23:30:00Z')).toBe('2026.11.21 23:30')
  vi.unstubAllEnvs()
})
