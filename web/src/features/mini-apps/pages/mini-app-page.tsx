import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { useUser } from '@/features/auth'
import type { WorkflowApi } from '@/shared/api/types'
import { cardUrl } from '@/shared/lib/media'
import { useTitle } from '@/shared/lib/use-title'
import { Avatar } from '@/shared/ui/avatar'
import { Icon } from '@/shared/ui/icon'
import { PartBoundary } from '@/shared/ui/part-boundary'
import { Picture } from '@/shared/ui/picture'
import { RichText } from '@/shared/ui/rich-text'
import { readForm } from '@/shared/ui/schema-form/read-form'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { miniAppQuery } from '../api'
import { AppRunner } from '../components/app-runner'
import styles from './mini-app-page.module.css'

/** One mini app: what it does, its form, and what comes out. */
export default function MiniAppPage() {
  const { appId = '' } = useParams()
  const user = useUser()
  const app = useQuery({ ...miniAppQuery(appId, Boolean(user)), enabled: user !== undefined })
  useTitle(app.data?.workflow.name)
  if (app.isPending) return <Loading />
  if (!app.data) {
    return (
      <div className={styles.page}>
        <ErrorState error={app.error} onRetry={() => void app.refetch()} />
      </div>
    )
  }
  return <MiniApp key={app.data._id} app={app.data} />
}

function MiniApp({ app }: { app: WorkflowApi }) {
  const { t } = useTranslation('miniApps')
  const form = useMemo(() => readForm(app.rjsf.schema, app.rjsf.uiSchema), [app.rjsf])
  return (
    <div className={styles.page}>
      <AppHead app={app} />
      {!app.health.ok && (
        <p className={styles.notice}>
          <Icon name="warning" />
          {t('unhealthy')}
        </p>
      )}
      <PartBoundary>
        {form ? <AppRunner app={app} form={form} /> : <EmptyState icon="warning" title={t('unsupportedForm')} />}
      </PartBoundary>
    </div>
  )
}

function AppHead({ app }: { app: WorkflowApi }) {
  const { t } = useTranslation('miniApps')
  const { workflow } = app
  const profile = workflow.user.profile
  return (
    <header className={styles.head}>
      <Picture
        className={styles.cover}
        src={cardUrl(workflow.cover)}
        fallback={workflow.cover?.url ?? null}
        alt=""
        ratio={1}
        eager
      />
      <div>
        <h1 className={styles.title}>{workflow.name}</h1>
        <p className={styles.author}>
          <Avatar name={workflow.user.name} url={profile?.thumbnailUrl} size={22} />
          {t('by', { name: workflow.user.name })}
        </p>
      </div>
      {workflow.description && (
        <div className={styles.description}>
          <Suspense fallback={<Skeleton style={{ height: 48 }} />}>
            <RichText html={workflow.description} />
          </Suspense>
        </div>
      )}
    </header>
  )
}

function Loading() {
  return (
    <div className={styles.page} aria-busy="true">
      <div className={styles.head}>
        <Skeleton className={styles.cover} style={{ aspectRatio: 1 }} />
        <div className={styles.loading}>
          <Skeleton style={{ height: 32, width: 280, maxWidth: '100%' }} />
          <Skeleton style={{ height: 16, width: 420, maxWidth: '100%' }} />
        </div>
      </div>
      <div className={styles.body}>
        <Skeleton style={{ height: 420, borderRadius: 12 }} />
        <Skeleton style={{ height: 420, borderRadius: 12 }} />
      </div>
    </div>
  )
}
