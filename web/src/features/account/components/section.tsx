import { type ReactNode, type Ref, useId } from 'react'
import styles from './account-tab.module.css'

type SectionProps = { title: string; lead?: string; children: ReactNode; place?: Ref<HTMLElement> }

/** A section of the account page. `place` is the hash that scrolls to it. */
export function Section({ title, lead, children, place }: SectionProps) {
  const id = useId()
  return (
    <section ref={place} className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {lead && <p className={styles.lead}>{lead}</p>}
      </div>
      <div className={styles.body}>{children}</div>
    </section>
  )
}
