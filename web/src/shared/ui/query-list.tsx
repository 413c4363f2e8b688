import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadMore } from './load-more'
import styles from './query-list.module.css'
import { ErrorState, Skeleton } from './states'

/** Grey shapes of what is coming: how high one is, and how many. */
type Ghosts = { height: number; count?: number }

export function GhostRows({ height, count = 5 }: Ghosts) {
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
  ghosts: Ghosts | ReactNode
  empty: ReactNode
  /** What a refusal means here, where it is no fault. */
  refused?: (error: unknown) => ReactNode
  children: (items: T[]) => ReactNode
}

const isGhosts = (ghosts: Ghosts | ReactNode): ghosts is Ghosts =>
  typeof ghosts === 'object' && ghosts !== null && 'height' in ghosts

/**
 * A list from the server, in each of its states: grey shapes, what went wrong, nothing, and the items with the way to
 * more. What was loaded stays on the screen when more of it fails. Whoever listens hears how many there are.
 */
export function QueryList<T>({ list, ghosts, empty, refused, children }: QueryListProps<T>) {
  const { t } = useTranslation()
  if (list.isPending) return isGhosts(ghosts) ? <GhostRows {...ghosts} /> : ghosts
  const known = list.error && refused?.(list.error)
  if (known) return known
  if (!list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  // What is left out of a page (what was deleted, say) may be all of it: the next one is asked for then.
  const isEmpty = list.data.length === 0 && !list.hasNextPage
  return (
    <>
      <p className="visually-hidden" role="status">
        {t(list.hasNextPage ? 'list.more' : 'list.all', { count: list.data.length })}
      </p>
      {isEmpty ? empty : <div aria-busy={list.isPlaceholderData}>{children(list.data)}</div>}
      {list.isFetchNextPageError ? (
        <ErrorState error={list.error} onRetry={() => void list.fetchNextPage()} />
      ) : (
        <LoadMore
          hasMore={list.hasNextPage}
          loading={list.isFetchingNextPage}
          onMore={() => void list.fetchNextPage()}
        />
      )}
    </>
  )
}

/** The same with a row for each item. */
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
