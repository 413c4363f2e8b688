import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Workflow } from '@/shared/api/types'
import { QueryList } from '@/shared/ui/query-list'
import { Skeleton } from '@/shared/ui/states'
import { type CardMode, WorkflowCard } from './workflow-card'
import styles from './workflow-grid.module.css'

type ListProps = {
  /** An infinite query of this feature. */
  list: UseInfiniteQueryResult<Workflow[]>
  empty: ReactNode
  mode?: CardMode
}

/** A list of workflows as cards: five columns, on phones two. */
export function WorkflowList({ list, empty, mode = 'plain' }: ListProps) {
  return (
    <QueryList list={list} skeleton={<WorkflowGridSkeleton />} empty={empty}>
      {(workflows) => (
        <div className={styles.grid}>
          {workflows.map((workflow, index) => (
            <WorkflowCard key={workflow._id} workflow={workflow} mode={mode} eager={index < 5} />
          ))}
        </div>
      )}
    </QueryList>
  )
}

export function WorkflowGridSkeleton({ count = 10 }: { count?: number }) {
  return (
    <div className={styles.grid} aria-busy="true">
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: grey boxes have no identity.
        <div key={index} className={styles.skeleton}>
          <Skeleton style={{ aspectRatio: 1, borderRadius: 12 }} />
          <Skeleton style={{ height: 14, width: '70%' }} />
          <Skeleton style={{ height: 12, width: '45%' }} />
        </div>
      ))}
    </div>
  )
}
