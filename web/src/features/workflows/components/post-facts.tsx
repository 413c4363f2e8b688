import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useUser } from '@/features/auth'
import { formatDate } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { workflowQuery } from '../api'
import { Counts } from './counts'
import styles from './post-facts.module.css'
import { TagChips } from './tag-chips'

export type PostFactsProps = { id: string }

export default function PostFacts({ id }: PostFactsProps) {
  const { t } = useTranslation('workflows')
  const user = useUser()
  const workflow = useQuery({ ...workflowQuery(id, Boolean(user)), enabled: user !== undefined }).data
  if (!workflow) return <div className={styles.facts} />
  return (
    <div className={styles.facts}>
      <Counts workflow={workflow} show={['viewCount', 'launchCount', 'likeCount']} />
      <time dateTime={workflow.createdAt}>{formatDate(workflow.createdAt)}</time>
      <Link className={styles.link} to={paths.workflow(id)}>
        {t('seePost')}
      </Link>
      <TagChips tags={workflow.workflowTags} />
    </div>
  )
}
