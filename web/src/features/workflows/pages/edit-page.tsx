import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Navigate, useParams, useSearchParams } from 'react-router'
import { GuestState, useSession } from '@/features/auth'
import { paths } from '@/shared/lib/paths'
import { Page } from '@/shared/ui/page'
import { PageError } from '@/shared/ui/page-error'
import { PageSpinner } from '@/shared/ui/spinner'
import { workflowQuery } from '../api'
import { EditForm } from '../components/edit-form'
import { isAdmin, isOwn } from '../model'

/** Turns a workflow into a post: texts, pictures and tags. */
export default function EditPage() {
  const { t } = useTranslation('workflows')
  const { workflowId = '' } = useParams()
  const [params] = useSearchParams()
  const isUpload = params.get('isUpload') === 'true'
  const session = useSession()
  const user = session.is === 'user' ? session.user : undefined
  const workflow = useQuery({ ...workflowQuery(workflowId, true), enabled: Boolean(user), staleTime: 0 })
  const title = t(isUpload ? 'edit.uploadTitle' : 'edit.title')
  if (session.is === 'failed') return <PageError error={session.error} onRetry={session.retry} />
  if (session.is === 'guest') {
    return (
      <Page title={title}>
        <GuestState icon="workflow" title={t('edit.guestTitle')} text={t('edit.guestText')} />
      </Page>
    )
  }
  if (workflow.isPending || !user) return <PageSpinner />
  if (!workflow.data) {
    return <PageError error={workflow.error} onRetry={() => void workflow.refetch()} />
  }
  if (!isOwn(workflow.data, user) && !isAdmin(user)) return <Navigate to={paths.workflow(workflowId)} replace />
  return (
    <Page title={title} lead={t(isUpload ? 'edit.uploadLead' : 'edit.lead')}>
      <EditForm key={workflow.data._id} workflow={workflow.data} isUpload={isUpload} />
    </Page>
  )
}
