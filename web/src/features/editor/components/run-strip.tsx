import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import {
  chipTone,
  exceptionDetails,
  exceptionMessage,
  isActive,
  type LiveJob,
  PublishResult,
  useCancelJob,
  useFailureText,
  useLiveJob,
} from '@/features/jobs'
import { keys } from '@/shared/api/keys'
import type { OutputFile } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button } from '@/shared/ui/button'
import { Chip } from '@/shared/ui/chip'
import { openModal } from '@/shared/ui/modals'
import { Picture } from '@/shared/ui/picture'
import { ProgressBar } from '@/shared/ui/progress-bar'
import { toast } from '@/shared/ui/toast'
import styles from './editor.module.css'

type RunStripProps = {
  id: string
  /** Whether an earlier load of the page has begun it, and may have shown its error. */
  continued: boolean
  onShow: (nodeId: string) => void
  onClose: () => void
}

/** The latest run: its progress, its results, and a way to publish them. */
export default function RunStrip({ id, continued, onShow, onClose }: RunStripProps) {
  const { t } = useTranslation('nodeEditor')
  const { t: jobs } = useTranslation('jobs')
  const client = useQueryClient()
  const { t: common } = useTranslation()
  const { job, again } = useLiveJob(id)
  const text = useProblemText()
  const cancel = useCancelJob()
  const status = job?.status?.status
  const active = status === undefined || isActive(status)
  useFailure(job, continued, onShow)
  // The run's hold changes the balance.
  useEffect(() => {
    void client.invalidateQueries({ queryKey: keys.auth.user })
  }, [client])
  // An ended run changes what the next one is expected to cost.
  useEffect(() => {
    if (!active) void client.invalidateQueries({ queryKey: keys.editor.quote })
  }, [client, active])
  const stop = () =>
    cancel.mutate(id, { onError: (error) => toast.error(jobs('cancelFailed', { message: text(error) }), error) })
  return (
    <section className={styles.strip} aria-label={t('run.title')}>
      <Link to={paths.job(id)}>
        <Chip tone={status ? chipTone(status) : 'live'}>{jobs(`status.${status ?? 'Pending'}`)}</Chip>
      </Link>
      {job?.problem ? (
        <>
          <span className={styles.progress} role="alert">
            {text(job.problem)}
          </span>
          <Button size="small" tone="outline" onClick={again}>
            {common('retry')}
          </Button>
          <Button size="small" tone="ghost" icon="close" aria-label={t('run.close')} onClick={onClose} />
        </>
      ) : active ? (
        <>
          <div className={styles.progress}>
            <ProgressBar share={status === 'Running' ? (job?.share ?? null) : null} label={jobs('display.progress')} />
            <span className={styles.node}>{job?.progress?.nodeTitle}</span>
          </div>
          <Button size="small" tone="outline" busy={cancel.isPending} onClick={stop}>
            {jobs('cancelJob')}
          </Button>
        </>
      ) : (
        <>
          <Results job={job} />
          <Button size="small" tone="ghost" icon="close" aria-label={t('run.close')} onClick={onClose} />
        </>
      )}
    </section>
  )
}

function Results({ job }: { job: LiveJob | null }) {
  const { t } = useTranslation('nodeEditor')
  const { t: jobs } = useTranslation('jobs')
  const outputs = job?.outputs ?? []
  if (job?.status?.status !== 'Done') {
    return <span className={styles.progress}>{job?.status && exceptionMessage(job.status)}</span>
  }
  if (job.outputs === null) return <span className={styles.progress}>{jobs('display.waiting')}</span>
  const shown = outputs.flatMap(({ outputs: made }) => [...(made.images ?? []), ...(made.gifs ?? [])]).filter(isShown)
  const all = outputs.flatMap(({ outputs: made }) => Object.values(made).flat())
  return (
    <>
      <ul className={styles.results}>
        {shown.map((file, index) => (
          <li key={file.url}>
            <Result file={file} label={t('run.result', { number: index + 1 })} />
          </li>
        ))}
        {all.length > shown.length && (
          <li className={styles.more}>
            <Link to={paths.job(job.id)}>{t('run.more')}</Link>
          </li>
        )}
      </ul>
      <Suspense>
        <PublishResult outputs={outputs} label={t('run.publish')} />
      </Suspense>
    </>
  )
}

/** Other outputs, such as sounds and texts, are on the job's page. */
const isShown = (file: OutputFile) => file.hasPreview !== false

function Result({ file, label }: { file: OutputFile; label: string }) {
  const isVideo = file.contentType?.startsWith('video/') === true
  const shown = <Picture src={file.url} alt={label} ratio={1} video={isVideo} />
  return file.outputAsset ? <Link to={paths.picture(file.outputAsset)}>{shown}</Link> : shown
}

/** Opens the error of a failed run once, and selects the node. */
function useFailure(job: LiveJob | null, continued: boolean, onShow: (nodeId: string) => void): void {
  const failureText = useFailureText()
  const isNew = useRef(!continued)
  const said = useRef<string | null>(null)
  useEffect(() => {
    const status = job?.status
    if (!status) return
    if (isActive(status.status)) {
      isNew.current = true
      return
    }
    const isFailed = status.status !== 'Done' && status.status !== 'Canceled'
    if (!isFailed || !isNew.current || said.current === status._id) return
    said.current = status._id
    const raised = status.executeException
    const nodeId = raised?.node_id || undefined
    const details = exceptionDetails(status)
    if (nodeId) onShow(nodeId)
    openModal('executionError', {
      message: exceptionMessage(status) ?? failureText(status),
      ...(details !== undefined && { details }),
      ...(nodeId && { node: `${raised?.node_type ?? ''} #${nodeId}`.trim(), onShow: () => onShow(nodeId) }),
    })
  }, [job, onShow, failureText])
}
