import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '@/features/auth'
import { formatCount } from '@/shared/lib/format'
import { LoadMore } from '@/shared/ui/load-more'
import { PartBoundary } from '@/shared/ui/part-boundary'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { commentsQuery, FRESH } from '../api'
import type { Post } from '../model'
import { useLinkedThread } from '../use-linked-thread'
import styles from './comments.module.css'
import { Composer } from './composer'
import { Thread } from './thread'

export type CommentsProps = {
  post: Post
  /** Whose post it is: they may delete what stands below it. */
  postAuthor: string | undefined
  /** Whether what surrounds it has its heading already. */
  titled?: boolean
}

/** What people say about a post, newest first, with the place to join in. */
export default function Comments(props: CommentsProps) {
  const { t } = useTranslation('comments')
  const id = useId()
  const user = useUser()
  const list = useInfiniteQuery({ ...commentsQuery(props.post, Boolean(user)), ...FRESH, enabled: user !== undefined })
  const count = list.data?.count
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id} className={props.titled ? 'visually-hidden' : styles.heading}>
        {t('title')} {count !== undefined && <span className={styles.count}>{formatCount(count)}</span>}
      </h2>
      <Composer place={props.post} label={t('write')} placeholder={t('placeholder')} submit={t('post')} />
      <PartBoundary>
        <Suspense fallback={<Loading />}>
          <List {...props} />
        </Suspense>
      </PartBoundary>
    </section>
  )
}

function List({ post, postAuthor }: CommentsProps) {
  const { t } = useTranslation('comments')
  const user = useUser()
  const list = useInfiniteQuery({ ...commentsQuery(post, Boolean(user)), ...FRESH, enabled: user !== undefined })
  const linked = useLinkedThread(post)
  if (list.isPending) return <Loading />
  if (!list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  const others = list.data.items.filter((comment) => comment._id !== linked.root?._id)
  const empty = others.length === 0 && !linked.root && !list.hasNextPage
  return (
    <>
      {linked.isGone && (
        <p className={styles.gone} role="status">
          {t('linkGone')}
        </p>
      )}
      {empty ? (
        <EmptyState icon="comment" title={t('empty')} text={t('emptyText')} />
      ) : (
        <ol className={styles.list}>
          {linked.root && (
            <Thread key={linked.root._id} comment={linked.root} postAuthor={postAuthor} linked={linked.comment} />
          )}
          {others.map((comment) => (
            <Thread key={comment._id} comment={comment} postAuthor={postAuthor} />
          ))}
        </ol>
      )}
      <LoadMore hasMore={list.hasNextPage} loading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
    </>
  )
}

function Loading() {
  return (
    <div className={styles.list} aria-busy="true">
      {[72, 48, 60].map((width) => (
        <div key={width} className={styles.loading}>
          <Skeleton style={{ width: 36, height: 36, borderRadius: '50%' }} />
          <div className={styles.loadingText}>
            <Skeleton style={{ width: 120, height: 16 }} />
            <Skeleton style={{ width: `${width}%`, height: 16 }} />
          </div>
        </div>
      ))}
    </div>
  )
}
