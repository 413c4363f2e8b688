import type { ReactNode } from 'react'
import { useTitle } from '@/shared/lib/use-title'
import { ButtonLink } from '@/shared/ui/button'
import { Outcome } from '@/shared/ui/outcome'
import styles from '../pages/sign-page.module.css'

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

type LinkOutcomeProps = { tone: 'good' | 'bad'; text: string; to: string; label: string; replace?: boolean }

/** An outcome whose next step is a link. */
export function LinkOutcome({ tone, text, label, ...link }: LinkOutcomeProps) {
  const action = (
    <ButtonLink {...link} tone="primary" size="large" wide>
      {label}
    </ButtonLink>
  )
  return <Outcome tone={tone} icon={tone === 'good' ? 'check' : 'warning'} text={text} action={action} />
}
