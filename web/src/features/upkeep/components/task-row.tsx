import { useTranslation } from 'react-i18next'
import type { UpkeepTask } from '@/shared/api/types'
import { formatDuration, formatMoment, formatNumber, formatRelative } from '@/shared/lib/format'
import { Button } from '@/shared/ui/button'
import { Chip } from '@/shared/ui/chip'
import { useResultToasts } from '@/shared/ui/use-result-toasts'
import { useRunTask } from '../api'
import { failingFirst, formatSpan, type TaskKey, tookMs } from '../model'
import styles from './task-table.module.css'

/** `now` is the server's time of the list. */
type TaskProps = { task: UpkeepTask; now: number }

function TaskRow({ task, now }: TaskProps) {
  const { t, i18n } = useTranslation('upkeep')
  const key = i18n.exists(`names.${task.name}`, { ns: 'upkeep' }) ? (task.name as TaskKey) : undefined
  const name = key ? t(`names.${key}`) : task.name
  return (
    <tr>
      <td className={styles.what}>
        <p className={styles.name}>{name}</p>
        {key && <p className={styles.quiet}>{t(`about.${key}`)}</p>}
        {task.error && <p className={styles.error}>{task.error}</p>}
      </td>
      <td data-label={t('state')}>
        <State task={task} />
      </td>
      <td data-label={t('lastRound')}>
        <LastRound task={task} now={now} />
      </td>
      <td data-label={t('done')}>
        <p>{task.endedAt ? formatNumber(task.done, i18n.language) : t('nothing')}</p>
        {task.batch != null && (
          <p className={styles.quiet}>{t('atMost', { number: formatNumber(task.batch, i18n.language) })}</p>
        )}
      </td>
      <td data-label={t('runs')}>
        <p>{t('every', { time: formatSpan(task.everySeconds, i18n.language) })}</p>
        <Next task={task} now={now} />
      </td>
      <td className={styles.act}>
        <RunNow task={task.name} name={name} />
      </td>
    </tr>
  )
}

/** A failing task may be running at the same time. */
function State({ task }: { task: UpkeepTask }) {
  const { t } = useTranslation('upkeep')
  const { isRunning, failures, endedAt } = task
  return (
    <span className={styles.states}>
      {failures > 0 && <Chip tone="bad">{t('states.failing', { count: failures })}</Chip>}
      {isRunning && <Chip tone="live">{t('states.running')}</Chip>}
      {!isRunning && failures === 0 && (
        <Chip tone={endedAt ? 'good' : 'plain'}>{t(endedAt ? 'states.ok' : 'states.never')}</Chip>
      )}
    </span>
  )
}

function LastRound({ task, now }: TaskProps) {
  const { t, i18n } = useTranslation('upkeep')
  const at = task.isRunning ? task.startedAt : task.endedAt
  if (!at) return <p>{t('nothing')}</p>
  const took = tookMs(task)
  const when = formatRelative(at, i18n.language, now)
  return (
    <>
      <p>
        <time dateTime={at} title={formatMoment(at, i18n.language)}>
          {task.isRunning ? t('began', { when }) : when}
        </time>
      </p>
      {took !== undefined && <p className={styles.quiet}>{t('took', { time: formatDuration(took) })}</p>}
    </>
  )
}

function Next({ task: { dueAt, isRunning }, now }: TaskProps) {
  const { t, i18n } = useTranslation('upkeep')
  if (!dueAt || isRunning) return null
  const due = Date.parse(dueAt) <= now
  return (
    <p className={styles.quiet}>
      <time dateTime={dueAt} title={formatMoment(dueAt, i18n.language)}>
        {due ? t('due') : t('next', { when: formatRelative(dueAt, i18n.language, now) })}
      </time>
    </p>
  )
}

function RunNow({ task, name }: { task: string; name: string }) {
  const { t } = useTranslation('upkeep')
  const toasts = useResultToasts()
  const run = useRunTask()
  const start = () =>
    run.mutate(
      task,
      toasts(t('willRun', { name }), () => t('runFailed', { name })),
    )
  return (
    <Button
      size="small"
      tone="outline"
      icon="play"
      aria-label={t('runOf', { name })}
      busy={run.isPending}
      onClick={start}
    >
      {t('run')}
    </Button>
  )
}

/** A table, or cards on narrow screens. `now` is the server's time of the list. */
export function TaskTable({ tasks, now }: { tasks: UpkeepTask[]; now: number }) {
  const { t } = useTranslation('upkeep')
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{t('title')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('task')}</th>
          <th scope="col">{t('state')}</th>
          <th scope="col">{t('lastRound')}</th>
          <th scope="col">{t('done')}</th>
          <th scope="col">{t('runs')}</th>
          <th scope="col">
            <span className="visually-hidden">{t('run')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {failingFirst(tasks).map((task) => (
          <TaskRow key={task.name} task={task} now={now} />
        ))}
      </tbody>
    </table>
  )
}
