import type { ReactNode } from 'react'
import { classNames } from '@/shared/lib/class-names'
import styles from './detail-panes.module.css'

type DetailPanesProps = {
  /** Content above both; on phones it is hidden with the list. */
  bar?: ReactNode
  list: { label: string; children: ReactNode }
  /** The open detail, if any. */
  detail?: { label: string; children: ReactNode } | undefined | false | ''
}

/** A list and the detail that is open beside it. On a phone the detail replaces the list, which stays mounted. */
export function DetailPanes({ bar, list, detail }: DetailPanesProps) {
  return (
    <>
      {bar && <div className={classNames(styles.bar, detail && styles.behind)}>{bar}</div>}
      <div className={classNames(styles.panes, detail && styles.open)}>
        <section className={styles.list} aria-label={list.label}>
          {list.children}
        </section>
        {detail && (
          <section className={styles.detail} aria-label={detail.label}>
            {detail.children}
          </section>
        )}
      </div>
    </>
  )
}
