import type { ReactNode } from 'react'
import { classNames } from '@/shared/lib/class-names'
import styles from './detail-panes.module.css'

type DetailPanesProps = {
  /** What stands above both: on phones it goes with the list. */
  bar?: ReactNode
  list: { label: string; children: ReactNode }
  /** What is open beside the list; nothing where it is left out. */
  detail?: { label: string; children: ReactNode } | undefined | false | ''
}

/** A list, and beside it what is open of it. On a phone that takes the place of the list, which keeps its own. */
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
