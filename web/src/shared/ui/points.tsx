import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon'
import styles from './points.module.css'

/** What a decision means, point by point. */
export function Points({ children }: { children: ReactNode }) {
  return <ul className={styles.points}>{children}</ul>
}

/** `warn` marks what cannot be taken back. */
export function Point({ icon, text, warn = false }: { icon: IconName; text: string; warn?: boolean }) {
  return (
    <li className={warn ? styles.warn : undefined}>
      <Icon name={icon} size={18} />
      <span>{text}</span>
    </li>
  )
}
