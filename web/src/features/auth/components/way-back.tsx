import type { ReactNode } from 'react'
import { useHiding } from '../use-hiding'
import { PlanUnread } from './plan-unread'
import styles from './way-back.module.css'

/** How what is public becomes private again, for those who may; for others `stays`, which says that it cannot. */
export function WayBack({ stays, children }: { stays: string; children: ReactNode }) {
  const hiding = useHiding()
  if (hiding.is === 'allowed') return children
  if (hiding.is === 'refused') return <p className={styles.note}>{stays}</p>
  return hiding.is === 'failed' && <PlanUnread onRetry={hiding.retry} />
}
