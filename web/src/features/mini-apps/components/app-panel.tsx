import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { useUser } from '@/features/auth'
import type { WorkflowApi } from '@/shared/api/types'
import { chunk } from '@/shared/lib/chunk'
import { Icon } from '@/shared/ui/icon'
import { lazyPart } from '@/shared/ui/lazy-part'
import { SilentRetry } from '@/shared/ui/load-error'
import { PartBoundary } from '@/shared/ui/part-boundary'
import { readForm } from '@/shared/ui/schema-form/read-form'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { miniAppQuery } from '../api'
import styles from '../pages/mini-app-page.module.css'
import { hasShared } from '../shared-values'
import { useInitialValues } from '../use-initial-values'
import { AppRunner } from './app-runner'

const AvailabilityNotice = lazyPart(
  chunk(
    () => import('./availability-notice'),
    (module) => ({ default: module.AvailabilityNotice }),
  ),
  SilentRetry,
)

export default function AppPanel({ id }: { id: string }) {
  const user = useUser()
  const app = useQuery({ ...miniAppQuery(id, Boolean(user)), enabled: user !== undefined })
  if (app.isPending) return <AppPanelSkeleton />
  if (!app.data) return <ErrorState error={app.error} onRetry={() => void app.refetch()} />
  return <AppBody key={app.data._id} app={app.data} />
}

/**
 * Form and result of a loaded mini app. Another link with values resets the form; clearing the link from the address
 * afterwards does not.
 */
export function AppBody({ app }: { app: WorkflowApi }) {
  const { hash } = useLocation()
  const [seen, setSeen] = useState({ hash, version: 0 })
  if (hash !== seen.hash) setSeen({ hash, version: seen.version + (hasShared(hash) ? 1 : 0) })
  return <AppForm key={seen.version} app={app} />
}

function AppForm({ app }: { app: WorkflowApi }) {
  const { t, i18n } = useTranslation('miniApps')
  const form = useMemo(() => readForm(app.rjsf.schema, app.rjsf.uiSchema, i18n.language), [app.rjsf, i18n.language])
  const begin = useInitialValues(form)
  const user = useUser()
  const { workflow } = app
  const own = Boolean(user && workflow.user?._id === user._id)
  const canFix = own || Boolean(user?.roles.includes('Admin'))
  return (
    <>
      {!app.health.ok && (
        <p className={styles.notice}>
          <Icon name="warning" />
          {t('unhealthy')}
        </p>
      )}
      {app.works.ok === false && (
        <Suspense fallback={null}>
          <AvailabilityNotice works={app.works} detailed={canFix} setup={own ? workflow._id : undefined} />
        </Suspense>
      )}
      <PartBoundary>
        {form && begin === undefined ? (
          <AppPanelSkeleton />
        ) : form ? (
          <AppRunner app={app} form={form} begin={begin ?? null} />
        ) : (
          <EmptyState icon="warning" title={t('unsupportedForm')} />
        )}
      </PartBoundary>
    </>
  )
}

export function AppPanelSkeleton() {
  return (
    <div className={styles.body} aria-busy="true">
      <Skeleton style={{ height: 420, borderRadius: 12 }} />
      <Skeleton style={{ height: 420, borderRadius: 12 }} />
    </div>
  )
}
