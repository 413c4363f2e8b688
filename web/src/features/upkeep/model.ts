import type { UpkeepTask } from '@/shared/api/types'

/** The tasks that have words here; a newer server may have more. */
const KNOWN = [
  'account_deletion',
  'app_shares',
  'app_traits',
  'app_versions',
  'app_works',
  'batch_ends',
  'credit_expiry',
  'digests',
  'estimates',
  'event_months',
  'file_cleaning',
  'file_walk',
  'idempotency_keys',
  'job_months',
  'ledger_audit',
  'ledger_commits',
  'orphaned_files',
  'output_expiry',
  'output_expiry_warnings',
  'output_labels',
  'revocations',
  'video_measures',
  'visit_counts',
  'visit_retention',
  'workflow_words',
] as const

/** The key of a task's words in `upkeep.names` and `upkeep.about`. */
export const wordsKey = (task: UpkeepTask) => KNOWN.find((name) => name === task.name)

/** Those that fail first, otherwise as they come. */
export const failingFirst = (tasks: UpkeepTask[]): UpkeepTask[] => [
  ...tasks.filter((task) => task.failures > 0),
  ...tasks.filter((task) => task.failures === 0),
]

/** How long the last round took; nothing while one is under way, and where its node went away in the middle. */
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

/** "10 minutes", "1 day": a length of time in the largest unit that it is whole in. */
export function formatSpan(seconds: number, language: string): string {
  const [unit, size] = UNITS.find(([, size]) => seconds > 0 && seconds % size === 0) ?? ['second', 1]
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / size)
}
