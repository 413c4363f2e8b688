import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { CommunityVideo } from '@/shared/api/types'
import { LoadMore } from '@/shared/ui/load-more'
import { ErrorState, Skeleton } from '@/shared/ui/states'
import { VideoCard } from './video-card'
import styles from './video-grid.module.css'

type VideoGridProps = {
  list: UseInfiniteQueryResult<CommunityVideo[]>
  empty: ReactNode
  /** What stands below a card. */
  below?: (video: CommunityVideo) => ReactNode
}

/** The list as cards: four beside each other, on phones one. */
export function VideoGrid({ list, empty, below }: VideoGridProps) {
  if (list.isPending) return <GridSkeleton />
  if (!list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (list.data.length === 0) return empty
  return (
    <>
      <div className={styles.grid} aria-busy={list.isPlaceholderData}>
        {list.data.map((video, index) => (
          <VideoCard key={video._id} video={video} eager={index < 4}>
            {below?.(video)}
          </VideoCard>
        ))}
      </div>
      <LoadMore hasMore={list.hasNextPage} loading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
    </>
  )
}

function GridSkeleton() {
  return (
    <div className={styles.grid} aria-busy="true">
      {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((key) => (
        <div key={key} className={styles.ghost}>
          <Skeleton style={{ aspectRatio: '16 / 9', borderRadius: 12 }} />
          <Skeleton style={{ height: 16, width: '80%' }} />
          <Skeleton style={{ height: 12, width: '45%' }} />
        </div>
      ))}
    </div>
  )
}
