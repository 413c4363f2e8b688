import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Suspense, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useUser } from '@/features/auth'
import { isApiError } from '@/shared/api/errors'
import type { Comment } from '@/shared/api/types'
import { formatCount } from '@/shared/lib/format'
import { LoadMore } from '@/shared/ui/load-more'
import { PartBoundary } from '@/shared/ui/part-boundary'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { commentQuery, commentsQuery, REFRESH_OPTIONS } from '../api'
import { isBelow, type Post } from '../model'
import styles from './comments.module.css'
import { Composer } from './composer'
import { Thread } from './thread'

export type CommentsProps = {
  post: Post
  /** The author of the post, who may delete comments below it. */
  postAuthor: string | undefined
  /** Whether the page has its own heading for the comments. */
  titled?: boolean
}

export default function Comments(props: CommentsProps) {
  const { t } = useTranslation('comments')
  const id = useId()
  const user = useUser()
  const list = useInfiniteQuery({
    ...commentsQuery(props.post, Boolean(user)),
    ...REFRESH_OPTIONS,
    enabled: user !== undefined,
  })
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
  const list = useInfiniteQuery({
    ...commentsQuery(post, Boolean(user)),
    ...REFRESH_OPTIONS,
    enabled: user !== undefined,
  })
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

type LinkedThread = {
  comment: Comment | undefined
  root: Comment | undefined
  isGone: boolean
}

/** The comment of `?comment=`, to which mails and notifications link. It may be on any page of the list. */
function useLinkedThread(post: Post): LinkedThread {
  const [params] = useSearchParams()
  const user = useUser()
  const id = params.get('comment') ?? ''
  const named = useQuery({ ...commentQuery(id, Boolean(user)), enabled: id !== '' && user !== undefined })
  const comment = named.data && isBelow(named.data, post) ? named.data : undefined
  const parent = comment?.parent ?? ''
  const above = useQuery({ ...commentQuery(parent, Boolean(user)), enabled: parent !== '' })
  return {
    comment,
    root: parent ? above.data : comment,
    isGone: [named, above].some(({ error }) => isApiError(error) && [400, 404].includes(error.status)),
  }
}
