import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/ui/button'
import { FieldError } from '@/shared/ui/field'
import { planQuery, useUser } from '../api'
import styles from './unpublish.module.css'

/** Says how to make something private again, or `stays` for users whose plan does not allow it. */
export function UndoPublishHint({ stays, children }: { stays: string; children: ReactNode }) {
  const right = useCanUnpublish()
  if (right.is === 'allowed') return children
  if (right.is === 'refused') return <p className={styles.note}>{stays}</p>
  return right.is === 'failed' && <PlanError onRetry={right.retry} />
}

export function PlanError({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation('auth')
  const { t: common } = useTranslation()
  return (
    <div className={styles.unread}>
      <FieldError>{t('plan.unread')}</FieldError>
      <Button size="small" tone="outline" icon="reset" onClick={onRetry}>
        {common('retry')}
      </Button>
    </div>
  )
}

type UnpublishRight =
  | { is: 'unknown' }
  | { is: 'allowed' }
  | { is: 'refused'; plan: string }
  | { is: 'failed'; error: Error; retry: () => void }

/**
 * Whether the user may unpublish a post or picture: admins may, and plans with Stealth Mode. `needed` disables the
 * query where nothing depends on it.
 */
export function useCanUnpublish(needed = true): UnpublishRight {
  const user = useUser()
  const admin = Boolean(user?.roles.includes('Admin'))
  const plan = useQuery({ ...planQuery(), enabled: needed && Boolean(user) && !admin, staleTime: 60_000 })
  if (admin) return { is: 'allowed' }
  if (plan.data) return plan.data.stealthMode ? { is: 'allowed' } : { is: 'refused', plan: plan.data.name }
  return plan.isError ? { is: 'failed', error: plan.error, retry: () => void plan.refetch() } : { is: 'unknown' }
}
