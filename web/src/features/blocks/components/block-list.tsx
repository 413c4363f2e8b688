import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Block } from '@/shared/api/types'
import { formatDate } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { usePersonName } from '@/shared/lib/person-name'
import { Avatar } from '@/shared/ui/avatar'
import { Button } from '@/shared/ui/button'
import { ErrorState, Skeleton } from '@/shared/ui/states'
import { blocksQuery } from '../api'
import { useBlocking } from '../use-blocking'
import styles from './block-list.module.css'

export function BlockList() {
  const { t } = useTranslation('blocks')
  const blocks = useQuery(blocksQuery())
  if (blocks.isPending) return <Skeleton style={{ height: 64, borderRadius: 12 }} />
  if (!blocks.data) return <ErrorState error={blocks.error} onRetry={() => void blocks.refetch()} />
  if (blocks.data.length === 0) return <p className={styles.empty}>{t('empty')}</p>
  return (
    <ul className={styles.list} aria-label={t('list')}>
      {blocks.data.map((block) => (
        <Blocked key={block.user._id} block={block} />
      ))}
    </ul>
  )
}

function Blocked({ block: { user, createdAt } }: { block: Block }) {
  const { t } = useTranslation('blocks')
  const nameOf = usePersonName()
  const blocking = useBlocking()
  return (
    <li className={styles.item}>
      <Avatar name={nameOf(user)} url={user.profile?.thumbnailUrl} size={36} />
      <div className={styles.who}>
        {user.isDeleted ? (
          <span className={styles.name}>{nameOf(user)}</span>
        ) : (
          <Link className={styles.name} to={paths.profile(user._id)}>
            {user.name}
          </Link>
        )}
        <span className={styles.since}>{t('since', { date: formatDate(createdAt) })}</span>
      </div>
      <Button
        size="small"
        busy={blocking.isPending}
        aria-label={t('unblockLabel', { name: nameOf(user) })}
        onClick={() => blocking.unblock(user)}
      >
        {t('unblock')}
      </Button>
    </li>
  )
}
