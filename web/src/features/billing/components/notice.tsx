import type { ReactNode } from 'react'
import { classNames } from '@/shared/lib/class-names'
import { Icon, type IconName } from '@/shared/ui/icon'
import styles from './orders.module.css'

type NoticeProps = { tone: 'good' | 'bad' | 'plain'; icon: IconName; text: string; action?: ReactNode }

/** The result with which a person comes back from a provider, with the next step. */
export function Notice({ tone, icon, text, action }: NoticeProps) {
  return (
    <div className={classNames(styles.returned, styles[tone])} role={tone === 'bad' ? 'alert' : 'status'}>
      <p className={styles.result}>
        <Icon name={icon} />
        {text}
      </p>
      {action}
    </div>
  )
}
