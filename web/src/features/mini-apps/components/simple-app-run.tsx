import { Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import {
  exceptionMessage,
  isActive,
  type LiveJob,
  queueText,
  runningText,
  useCancelJob,
  useFailureText,
  useLiveJob,
  WaitReason,
} from '@/features/jobs'
import { isApiError } from '@/shared/api/errors'
import type { SimpleAppAddress } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button, ButtonLink } from '@/shared/ui/button'
import { Chip } from '@/shared/ui/chip'
import { CopyButton } from '@/shared/ui/copy-button'
import { Icon } from '@/shared/ui/icon'
import { ProgressBar } from '@/shared/ui/progress-bar'
import { toast } from '@/shared/ui/toast'
import {
  type AddedPicture,
  isRefusedFile,
  phaseOf,
  picturesOf,
  type RunPhase,
  type RunsState,
  type SimpleRun,
} from '../simple-app-runs'
import { useUploadWords } from '../use-file-upload'
import { AddedPreview } from './added-preview'
import { SimpleAppResult } from './simple-app-result'
import styles from './simple-app-run.module.css'

type SimpleAppRunProps = {
  address: SimpleAppAddress
  state: RunsState
  run: SimpleRun
  previewOf: (picture: AddedPicture) => string | null
  transport: LiveJob['transport']
  onRetry: (run: SimpleRun) => void
  onRemove: (runs: string[]) => void
  onEnd: (run: string, ended: NonNullable<SimpleRun['ended']>) => void
}

/** One run of a simple app, from its pictures to its result. */
export function SimpleAppRun(props: SimpleAppRunProps) {
  const { address, state, run, previewOf, transport, onRetry, onRemove, onEnd } = props
  const { t } = useTranslation('simpleApps')
  const phase = phaseOf(state, run)
  const pictures = picturesOf(state, run)
  const { job, again } = useLiveJob(run.ended ? null : run.job, transport)
  useEffect(() => {
    if (!job?.status || isActive(job.status.status)) return
    if (job.status.status === 'Done' && !job.outputs) return
    onEnd(run.key, { status: job.status, outputs: job.outputs ?? [] })
  }, [job, onEnd, run.key])
  const name = pictures[0]?.name ?? ''
  const isRemovable = phase !== 'requesting' && phase !== 'generating'
  return (
    <li className={styles.run} data-phase={phase}>
      <div className={styles.head}>
        <span className={styles.name} title={name}>
          {name}
        </span>
        {phase === 'complete' && (
          <Chip tone="good">
            <Icon name="check" size={14} />
            {t('phase.complete')}
          </Chip>
        )}
        {isRemovable && (
          <Button
            size="small"
            tone="ghost"
            icon="trash"
            aria-label={t('remove', { name })}
            onClick={() => onRemove([run.key])}
          />
        )}
      </div>
      {phase === 'complete' ? (
        <SimpleAppResult address={address} run={run} pictures={pictures} previewOf={previewOf} />
      ) : (
        <>
          <div className={styles.stage}>
            {pictures.map((picture) => {
              const preview = previewOf(picture)
              return preview && <AddedPreview key={picture.key} src={preview} alt={picture.name} />
            })}
            {job?.preview && <img className={styles.livePreview} src={job.preview} alt={t('livePreview', { name })} />}
          </div>
          {job?.problem ? (
            <RunFailure
              run={run}
              reason={job.problem}
              // A job that is gone cannot be watched again.
              onRetry={isApiError(job.problem, 404) ? () => onRetry(run) : again}
            />
          ) : (
            <RunState
              phase={phase}
              run={run}
              pictures={pictures}
              job={job}
              withReason={transport === 'events'}
              onRetry={onRetry}
            />
          )}
        </>
      )}
    </li>
  )
}

type RunStateProps = {
  phase: RunPhase
  run: SimpleRun
  pictures: AddedPicture[]
  job: LiveJob | null
  /** Whether to say why the job waits. */
  withReason: boolean
  onRetry: (run: SimpleRun) => void
}

function RunState({ phase, run, pictures, job, withReason, onRetry }: RunStateProps) {
  const { t } = useTranslation('simpleApps')
  const { t: app } = useTranslation('miniApps')
  const { t: jobs } = useTranslation('jobs')
  const text = useProblemText()
  const upload = useUploadWords('image')
  const retry = () => onRetry(run)
  switch (phase) {
    case 'added':
      return <p className={styles.quiet}>{t('phase.added')}</p>
    case 'uploading': {
      const shares = pictures.map(({ image, share }) => (image ? 1 : (share ?? 0)))
      const share = shares.reduce((sum, one) => sum + one, 0) / Math.max(1, shares.length)
      const words = app('image.uploading', { percent: Math.round(share * 100) })
      return <Progress words={words} share={share} />
    }
    case 'requesting':
      return <Progress words={t('phase.requesting')} share={null} />
    case 'generating':
      return <Generating run={run} job={job} withReason={withReason} />
    case 'uploadFailed': {
      const problem = pictures.find((picture) => picture.problem)?.problem
      const words = upload.problemOf(problem) ?? text(problem)
      return <Problem text={words} onRetry={isRefusedFile(problem) ? undefined : retry} />
    }
    case 'refused':
      return <Problem text={app('jobCreateError', { message: text(run.refusal) })} onRetry={retry} />
    case 'canceled':
      return <Problem text={jobs('display.canceled')} onRetry={retry} />
    default:
      return <RunFailure run={run} onRetry={retry} />
  }
}

function Progress({ words, detail, share }: { words: string; detail?: string; share: number | null }) {
  return (
    <div className={styles.progress}>
      <p>
        <span>{words}</span>
        {detail && <span className={styles.quiet}>{detail}</span>}
      </p>
      <ProgressBar share={share} label={words} />
    </div>
  )
}

function Generating({ run, job, withReason }: { run: SimpleRun; job: LiveJob | null; withReason: boolean }) {
  const { t } = useTranslation('simpleApps')
  const { t: jobs } = useTranslation('jobs')
  const text = useProblemText()
  const cancel = useCancelJob()
  const id = run.job ?? ''
  const isRunning = job?.status?.status === 'Running'
  const stop = () =>
    cancel.mutate(id, { onError: (error) => toast.error(jobs('cancelFailed', { message: text(error) }), error) })
  const detail = job ? (isRunning ? runningText(job, jobs) : queueText(job, jobs)) : ''
  return (
    <>
      <Progress words={t('phase.generating')} detail={detail} share={isRunning ? (job?.share ?? null) : null} />
      {withReason && !isRunning && (
        <Suspense fallback={null}>
          <WaitReason id={id} withRelease />
        </Suspense>
      )}
      <div className={styles.actions}>
        <Button size="small" tone="ghost" busy={cancel.isPending || cancel.isSuccess} onClick={stop}>
          {jobs(cancel.isPending || cancel.isSuccess ? 'canceling' : 'cancelJob')}
        </Button>
      </div>
    </>
  )
}

function Problem({ text, onRetry }: { text: string; onRetry: (() => void) | undefined }) {
  const { t } = useTranslation('jobs')
  return (
    <div className={styles.problem}>
      <p role="alert">{text}</p>
      {onRetry && (
        <Button size="small" icon="reset" onClick={onRetry}>
          {t('display.again')}
        </Button>
      )}
    </div>
  )
}

type RunFailureProps = { run: SimpleRun; reason?: unknown; onRetry: () => void }

/** A failed job, with what support needs. `reason` is why the job could not be watched. */
function RunFailure({ run, reason, onRetry }: RunFailureProps) {
  const { t } = useTranslation('simpleApps')
  const { t: jobs } = useTranslation('jobs')
  const failureText = useFailureText()
  const text = useProblemText()
  const status = run.ended?.status
  const message = status && exceptionMessage(status)
  const isKnown = status && !isActive(status.status) && status.status !== 'Done' && status.status !== 'Canceled'
  return (
    <div className={styles.failure}>
      <p role="alert">{t('failed')}</p>
      {isKnown && <p className={styles.quiet}>{failureText(status)}</p>}
      {reason !== undefined && <p className={styles.quiet}>{text(reason)}</p>}
      {message && <p className={styles.message}>{message}</p>}
      <p className={styles.jobId}>
        {jobs('jobId')}
        <code>{run.job}</code>
      </p>
      <div className={styles.actions}>
        <Button size="small" icon="reset" onClick={onRetry}>
          {jobs('display.again')}
        </Button>
        <CopyButton text={run.job ?? ''} label={jobs('copyJobId')} />
        <ButtonLink size="small" tone="ghost" to={paths.job(run.job ?? '')}>
          {t('openJob')}
        </ButtonLink>
      </div>
    </div>
  )
}
