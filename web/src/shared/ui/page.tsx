import type { ReactNode } from 'react'
import { classNames } from '@/shared/lib/class-names'
import { useTitle } from '@/shared/lib/use-title'
import styles from './page.module.css'

type PageProps = { title: string; lead?: string; actions?: ReactNode; narrow?: boolean; children: ReactNode }

/** The frame of a page: a heading, an optional sentence and actions. */
export function Page({ title, lead, actions, narrow, children }: PageProps) {
  useTitle(title)
  return (
    <div className={classNames(styles.page, narrow && styles.narrow)}>
      <header className={styles.head}>
        <div>
          <h1 className={styles.title}>{title}</h1>
          {lead && <p className={styles.lead}>{lead}</p>}
        </div>
        {actions}
      </header>
      {children}
    </div>
  )
}
