import { expect, it } from 'vitest'
import { upkeepTask } from '@/shared/testing/factories'
import { formatSpan, tookMs } from './model'

it.each([
  [5, '5 seconds', '5초'],
  [60, '1 minute', '1분'],
  [90, '90 seconds', '90초'],
  [7200, '2 hours', '2시간'],
  [86_400, '1 day', '1일'],
])('%i seconds are shown in their largest whole unit', (seconds, english, korean) => {
  expect([formatSpan(seconds, 'en'), formatSpan(seconds, 'ko')]).toEqual([english, korean])
})

it('the duration of a round is known only if it has ended', () => {
  const [before, begin, end] = ['2026-11-20T07:59:00Z', '2026-11-20T08:00:00Z', '2026-11-20T08:00:02Z']
  expect(tookMs(upkeepTask({ startedAt: begin, endedAt: end }))).toBe(2000)
  expect(tookMs(upkeepTask({ startedAt: begin, endedAt: before, isRunning: true }))).toBeUndefined()
  expect(tookMs(upkeepTask({ startedAt: begin, endedAt: before }))).toBeUndefined()
  expect(tookMs(upkeepTask({ startedAt: null, endedAt: null }))).toBeUndefined()
})
