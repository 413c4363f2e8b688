import type { ReactNode } from 'react'
import { useTitle } from '@/shared/lib/use-title'
import styles from '../pages/sign-page.module.css'

/** The frame of the pages around signing in: one card in the middle. */
export function SignCard({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title)
  return (
    <div className={styles.page}>
      <div className={styles.card}>
        <h1>{title}</h1>
        {children}
      </div>
    </div>
  )
}
