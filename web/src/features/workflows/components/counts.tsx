import { useTranslation } from 'react-i18next'
import type { Workflow } from '@/shared/api/types'
import { formatCount } from '@/shared/lib/format'
import { Icon, type IconName } from '@/shared/ui/icon'
import styles from './counts.module.css'

type Counted = 'viewCount' | 'launchCount' | 'likeCount'

const SHOWN: Record<Counted, { icon: IconName; key: 'views' | 'launches' | 'likes' }> = {
  viewCount: { icon: 'eye', key: 'views' },
  launchCount: { icon: 'play', key: 'launches' },
  likeCount: { icon: 'heart', key: 'likes' },
}

/** Views and likes, and on a workflow's own page its runs. */
export function Counts({
  workflow,
  show = ['viewCount', 'likeCount'],
}: {
  workflow: Pick<Workflow, Counted>
  show?: Counted[]
}) {
  const { t } = useTranslation('workflows')
  return (
    <span className={styles.counts}>
      {show.map((what) => (
        <span key={what} className={styles.count}>
          <Icon name={SHOWN[what].icon} size={14} />
          <span aria-hidden="true">{formatCount(workflow[what])}</span>
          <span className="visually-hidden">{t(SHOWN[what].key, { count: workflow[what] })}</span>
        </span>
      ))}
    </span>
  )
}
