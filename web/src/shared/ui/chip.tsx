import type { ReactNode } from 'react'
import { classNames } from '@/shared/lib/class-names'
import styles from './chip.module.css'

export type ChipTone = 'plain' | 'live' | 'good' | 'bad' | 'warn'

export function Chip({ tone = 'plain', children }: { tone?: ChipTone; children: ReactNode }) {
  return <span className={classNames(styles.chip, tone !== 'plain' && styles[tone])}>{children}</span>
}
