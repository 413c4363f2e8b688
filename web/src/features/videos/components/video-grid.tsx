import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { CommunityVideo } from '@/shared/api/types'
import { QueryList } from '@/shared/ui/query-list'
import { Skeleton } from '@/shared/ui/states'
import { VideoCard } from './video-card'
import styles from './video-grid.module.css'

type VideoGridProps = {
  list: UseInfiniteQueryResult<CommunityVideo[]>
  empty: ReactNode
  below?: (video: CommunityVideo) => ReactNode
}

export function VideoGrid({ list, empty, below }: VideoGridProps) {
  return (
    <QueryList list={list} skeleton={<GridSkeleton />} empty={empty}>
      {(videos) => (
        <div className={styles.grid}>
          {videos.map((video, index) => (
            <VideoCard key={video._id} video={video} eager={index < 4}>
              {below?.(video)}
            </VideoCard>
          ))}
        </div>
      )}
    </QueryList>
  )
}

function GridSkeleton() {
  return (
    <div className={styles.grid} aria-busy="true">
      {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((key) => (
        <div key={key} className={styles.skeleton}>
          <Skeleton style={{ aspectRatio: '16 / 9', borderRadius: 12 }} />
          <Skeleton style={{ height: 16, width: '80%' }} />
          <Skeleton style={{ height: 12, width: '45%' }} />
        </div>
      ))}
    </div>
  )
}
