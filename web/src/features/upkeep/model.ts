import type { UpkeepTask } from '@/shared/api/types'
import type upkeep from '@/shared/i18n/locales/en/upkeep.json'

/** A task with translated texts; a newer server may have more tasks. */
export type TaskKey = keyof (typeof upkeep)['names']

/** Failing tasks first, the others in their order. */
export const failingFirst = (tasks: UpkeepTask[]): UpkeepTask[] => [
  ...tasks.filter((task) => task.failures > 0),
  ...tasks.filter((task) => task.failures === 0),
]

/** Duration of the last round; undefined while one runs, or if its node was lost. */
export function tookMs({ isRunning, startedAt, endedAt }: UpkeepTask): number | undefined {
  if (isRunning || !startedAt || !endedAt) return undefined
  const took = Date.parse(endedAt) - Date.parse(startedAt)
  return took >= 0 ? took : undefined
}

const UNITS: [string, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** "10 minutes", "1 day": a duration in the largest unit that divides it. */
export function formatSpan(seconds: number, language: string): string {
  const [unit, size] = UNITS.find(([, size]) => seconds > 0 && seconds % size === 0) ?? ['second', 1]
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / size)
}
