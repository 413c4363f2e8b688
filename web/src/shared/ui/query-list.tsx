import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadMore } from './load-more'
import styles from './query-list.module.css'
import { ErrorState, Skeleton } from './states'

/** The skeletons of a loading list: their height and count. */
type SkeletonShape = { height: number; count?: number }

export function SkeletonRows({ height, count = 5 }: SkeletonShape) {
  return (
    <div className={styles.rows} aria-busy="true">
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: grey boxes have no identity.
        <Skeleton key={index} style={{ height, borderRadius: 12 }} />
      ))}
    </div>
  )
}

type QueryListProps<T> = {
  list: UseInfiniteQueryResult<T[]>
  skeleton: SkeletonShape | ReactNode
  empty: ReactNode
  /** Replaces the error message where a refusal is expected. */
  refused?: (error: unknown) => ReactNode
  /** Replaces the end of the list that loads the next page. */
  end?: ReactNode
  children: (items: T[]) => ReactNode
}

const isSkeletonShape = (skeleton: SkeletonShape | ReactNode): skeleton is SkeletonShape =>
  typeof skeleton === 'object' && skeleton !== null && 'height' in skeleton

/**
 * A list from the server in all its states: loading, failed, empty, loaded. Loaded items stay visible if the next page
 * fails. Screen readers announce the count.
 */
export function QueryList<T>({ list, skeleton, empty, refused, end, children }: QueryListProps<T>) {
  const { t } = useTranslation()
  const skeletons = isSkeletonShape(skeleton) ? <SkeletonRows {...skeleton} /> : skeleton
  if (list.isPending) return skeletons
  const known = list.error && refused?.(list.error)
  if (known) return known
  if (!list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  // The page may filter out all items of a response, such as deleted ones. Then the next page loads.
  const isEmpty = list.data.length === 0 && !list.hasNextPage
  // An earlier search that found nothing does not tell what this one finds.
  if (isEmpty && list.isPlaceholderData) return skeletons
  return (
    <>
      <p className="visually-hidden" role="status">
        {t(list.hasNextPage ? 'list.more' : 'list.all', { count: list.data.length })}
      </p>
      {isEmpty ? empty : <div aria-busy={list.isPlaceholderData}>{children(list.data)}</div>}
      {list.isFetchNextPageError ? (
        <ErrorState error={list.error} onRetry={() => void list.fetchNextPage()} />
      ) : (
        (end ?? (
          <LoadMore
            hasMore={list.hasNextPage}
            loading={list.isFetchingNextPage}
            onMore={() => void list.fetchNextPage()}
          />
        ))
      )}
    </>
  )
}

/** The same with one row per item. */
export function QueryRows<T extends { _id: string }>({
  children,
  className = styles.rows as string,
  ...rest
}: Omit<QueryListProps<T>, 'children'> & { className?: string; children: (item: T) => ReactNode }) {
  return (
    <QueryList {...rest}>
      {(items) => (
        <ul className={className}>
          {items.map((item) => (
            <li key={item._id}>{children(item)}</li>
          ))}
        </ul>
      )}
    </QueryList>
  )
}
