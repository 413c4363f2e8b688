import type { ReactNode } from 'react'
import { classNames } from '@/shared/lib/class-names'
import { Icon, type IconName } from './icon'
import styles from './outcome.module.css'

type OutcomeProps = { tone: 'good' | 'bad' | 'plain'; icon: IconName; text: string; action?: ReactNode }

/** The outcome of an action, with the next step. */
export function Outcome({ tone, icon, text, action }: OutcomeProps) {
  return (
    <div className={styles.outcome} role={tone === 'bad' ? 'alert' : 'status'}>
      <span className={classNames(styles.glyph, styles[tone])}>
        <Icon name={icon} size={26} />
      </span>
      <p>{text}</p>
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}
