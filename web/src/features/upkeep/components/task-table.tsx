import { useTranslation } from 'react-i18next'
import type { UpkeepTask } from '@/shared/api/types'
import { failingFirst } from '../model'
import { TaskRow } from './task-row'
import styles from './task-table.module.css'

/** The tasks as a table, on narrower screens as cards. `now` is when the server told of them. */
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
