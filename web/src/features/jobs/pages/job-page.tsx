import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { useLocation, useParams } from 'react-router'
import { GuestState, useUser } from '@/features/auth'
import { jobGraphQuery } from '@/shared/api/editor'
import type { Job } from '@/shared/api/types'
import { formatDuration, formatMoment, formatRelative } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { useTranslated } from '@/shared/lib/translated'
import { Button, ButtonLink } from '@/shared/ui/button'
import { Chip } from '@/shared/ui/chip'
import { CopyButton } from '@/shared/ui/copy-button'
import { Page } from '@/shared/ui/page'
import { PageError } from '@/shared/ui/page-error'
import { Skeleton } from '@/shared/ui/states'
import { toast } from '@/shared/ui/toast'
import { jobQuery, useCancelJob } from '../api'
import { JobDisplay } from '../components/job-display'
import { JobGraph } from '../components/job-graph'
import { JobLabels } from '../components/job-labels'
import { RunAgain } from '../components/run-again'
import { chipTone, isActive } from '../model'
import { useLiveJob } from '../use-live-job'
import styles from './jobs-page.module.css'

export default function JobPage() {
  const { t } = useTranslation('jobs')
  const { jobId = '' } = useParams()
  const user = useUser()
  const translated = useTranslated()
  const job = useQuery({ ...jobQuery(jobId), enabled: Boolean(user) })
  if (user === null) {
    return (
      <Page title={t('detailTitle')} narrow>
        <GuestState icon="jobs" title={t('guestTitle')} text={t('guestText')} />
      </Page>
    )
  }
  if (job.isError && !job.data) return <PageError error={job.error} onRetry={() => void job.refetch()} />
  const ran = job.data?.workflow
  return (
    <Page
      title={ran ? translated(ran).name : job.data ? t('rawPrompt') : t('detailTitle')}
      actions={job.data && <Chip tone={chipTone(job.data.status)}>{t(`status.${job.data.status}`)}</Chip>}
    >
      {job.data ? <JobDetail job={job.data} /> : <Skeleton style={{ height: 480, borderRadius: 12 }} />}
    </Page>
  )
}

function JobDetail({ job }: { job: Job }) {
  const { t } = useTranslation('jobs')
  const { job: live, again } = useLiveJob(job._id)
  const isNew = (useLocation().state as { created?: boolean } | null)?.created === true
  const cancel = useCancelJob()
  const graph = useQuery(jobGraphQuery(job._id))
  const text = useProblemText()
  const active = isActive(live?.status?.status ?? job.status)
  const stop = () =>
    cancel.mutate(job._id, { onError: (error) => toast.error(t('cancelFailed', { message: text(error) }), error) })
  return (
    <div className={styles.detail}>
      <div>
        <section aria-label={t('outputs')}>
          <JobDisplay job={live} onAgain={again} created={isNew} hasId />
        </section>
        <JobGraph job={job._id} />
      </div>
      <aside className={styles.facts}>
        <JobFacts job={job} />
        <JobLabels labels={job.labels} />
        {job.workflowApi && (
          <ButtonLink tone={active ? 'plain' : 'primary'} wide to={paths.miniApp(job.workflowApi, job._id)}>
            {t('openApp')}
          </ButtonLink>
        )}
        {graph.data && (
          <ButtonLink tone="outline" wide icon="workflow" to={paths.editor({ job: job._id })}>
            {t('openEditor')}
          </ButtonLink>
        )}
        {!active && <RunAgain job={job} />}
        {active && (
          <Button tone="outline" wide busy={cancel.isPending} onClick={stop}>
            {t('cancelJob')}
          </Button>
        )}
        <CopyButton text={job._id} label={t('copyJobId')} size="normal" />
      </aside>
    </div>
  )
}

function JobFacts({ job }: { job: Job }) {
  const { t, i18n } = useTranslation('jobs')
  const { t: appUse } = useTranslation('appUse')
  const seeds = Object.entries(job.seeds ?? {})
  const { held, used } = job.credits
  const facts: [string, string][] = [
    [t('created'), formatRelative(job.createdAt, i18n.language)],
    ...(job.startedAt ? [[t('started'), formatRelative(job.startedAt, i18n.language)] as [string, string]] : []),
    ...(job.durationMs != null ? [[t('duration'), formatDuration(job.durationMs)] as [string, string]] : []),
    [t('credits'), isActive(job.status) ? t('creditsHeld', { count: held }) : t('creditsUsed', { count: used ?? 0 })],
    ...(job.priceClass === 'flex'
      ? [[appUse('class.name'), flexText(job, appUse, i18n.language)] as [string, string]]
      : []),
    ...(job.deadline ? [[appUse('class.readyBy'), formatMoment(job.deadline, i18n.language)] as [string, string]] : []),
    ...seeds.map(([field, seed]): [string, string] => [seeds.length === 1 ? t('seed') : field, String(seed)]),
    [t('jobId'), job._id],
  ]
  return (
    <dl>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The class flex, and when the job was promoted. */
const flexText = ({ promotedAt }: Job, t: TFunction<'appUse'>, language: string) =>
  promotedAt ? t('class.flexOf', { when: formatRelative(promotedAt, language) }) : t('class.flex')
