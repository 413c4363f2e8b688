import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon'
import styles from './points.module.css'

/** The consequences of a decision, point by point. */
export function Points({ children }: { children: ReactNode }) {
  return <ul className={styles.points}>{children}</ul>
}

/** `warn` marks a consequence that cannot be undone. */
export function Point({ icon, text, warn = false }: { icon: IconName; text: string; warn?: boolean }) {
  return (
    <li className={warn ? styles.warn : undefined}>
      <Icon name={icon} size={18} />
      <span>{text}</span>
    </li>
  )
}
