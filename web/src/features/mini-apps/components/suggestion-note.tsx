import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useUser } from '@/features/auth'
import { paths } from '@/shared/lib/paths'
import type { AppFilter } from '../api'
import { liveTasksQuery } from '../suggestions'
import styles from './suggestion-form.module.css'

/** What can be made here without a model that reads words, and what an operator connects to have more. */
export default function SuggestionNote({ makes }: { makes?: AppFilter['makes'] }) {
  const { t } = useTranslation('suggestions')
  const isAdmin = useUser()?.roles.includes('Admin')
  const tasks = useQuery(liveTasksQuery()).data ?? []
  return (
    <p className={styles.note}>
      {tasks.length > 0 && <span>{t('now', { list: tasks.map((task) => t(`why.${task}`)).join(' · ') })}</span>}
      <span>
        {t(makes === 'video' ? 'more.TextToVideo' : 'more.TextToImage')}
        {isAdmin && (
          <>
            {' '}
            <Link to={paths.admin.home()}>{t('connect')}</Link>
          </>
        )}
      </span>
    </p>
  )
}
