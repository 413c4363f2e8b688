import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useLocation, useParams } from 'react-router'
import { GuestState, SignedInOnly } from '@/features/auth'
import { isAdminPath, paths } from '@/shared/lib/paths'
import { useTitle } from '@/shared/lib/use-title'
import { Page } from '@/shared/ui/page'
import { PageError } from '@/shared/ui/page-error'
import { Skeleton } from '@/shared/ui/states'
import { editorQuery } from '../api'
import { ApiEditor } from '../components/api-editor'
import styles from './workflow-api-page.module.css'

/** Turns inputs and outputs of a workflow into a form and an API. */
export default function WorkflowApiPage() {
  const { t } = useTranslation('workflowApi')
  const { workflowId = '' } = useParams()
  const guest = (
    <Page title={t('title')}>
      <GuestState icon="workflow" title={t('guestTitle')} text={t('guestText')} />
    </Page>
  )
  return (
    <SignedInOnly guest={guest} waiting={<Loading />}>
      {() => <Loaded key={workflowId} workflow={workflowId} />}
    </SignedInOnly>
  )
}

function Loaded({ workflow }: { workflow: string }) {
  const { t } = useTranslation('workflowApi')
  const { pathname } = useLocation()
  const editor = useQuery(editorQuery(workflow))
  useTitle(editor.data ? t('titleOf', { name: editor.data.workflow.name }) : t('title'))
  if (editor.isPending) return <Loading />
  if (!editor.data) return <PageError error={editor.error} onRetry={() => void editor.refetch()} />
  const post = isAdminPath(pathname) ? paths.admin.workflow(workflow) : paths.workflow(workflow)
  return (
    <div className={styles.page}>
      <ApiEditor editor={editor.data} post={post} refetch={editor.refetch} />
    </div>
  )
}

function Loading() {
  return (
    <div className={styles.page} aria-busy="true">
      <Skeleton style={{ height: 34, width: 320, maxWidth: '70%' }} />
      <div className={styles.loading}>
        <Skeleton style={{ height: 420, borderRadius: 12 }} />
        <Skeleton style={{ height: 420, borderRadius: 12 }} />
      </div>
    </div>
  )
}
