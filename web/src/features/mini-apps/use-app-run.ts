import { useQuery } from '@tanstack/react-query'
import { type MouseEvent, type RefObject, useCallback, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useUser } from '@/features/auth'
import { isActive, jobQuery, useCancelJob, useLiveJob } from '@/features/jobs'
import { type FieldProblem, isApiError } from '@/shared/api/errors'
import type { Seeds } from '@/shared/api/types'
import { ensureVisible } from '@/shared/lib/ensure-visible'
import { useProblemText } from '@/shared/lib/problem-text'
import { randomId } from '@/shared/lib/random-id'
import type { FormValues } from '@/shared/ui/schema-form/read-form'
import { toast } from '@/shared/ui/toast'
import { type RunTerms, useRun } from './api'

const NONE: FieldProblem[] = []
const NO_SEEDS: Seeds = {}

/** How long a second press of a double press still belongs to Run, which Cancel has replaced. */
const RUN_SETTLES_MS = 800

/**
 * The job of a mini-app page. Its id is in the address, so that a reload finds it. `result` is scrolled into view when
 * a job begins.
 */
export function useAppRun(app: string, result: RefObject<HTMLElement | null>) {
  const { t } = useTranslation('miniApps')
  const { t: jobs } = useTranslation('jobs')
  const text = useProblemText()
  const user = useUser()
  const [params, setParams] = useSearchParams()
  const [problems, setProblems] = useState<FieldProblem[]>(NONE)
  const [created, setCreated] = useState<string | null>(null)
  const jobId = user ? params.get('job') : null
  const { job, again } = useLiveJob(jobId)
  const pressed = useRef(0)
  const detail = useQuery({ ...jobQuery(jobId ?? ''), enabled: jobId !== null })
  const send = useRun()
  const cancel = useCancelJob()
  const attempt = useRef<{ body: string; key: string } | null>(null)
  const when = useRef<(() => RunTerms) | null>(null)

  const start = useCallback(
    (values: FormValues) => {
      setProblems(NONE)
      pressed.current = performance.now()
      // A retry of the same form after a lost answer keeps its key. A changed form gets a new key.
      const terms = when.current?.()
      const body = JSON.stringify([values, terms])
      if (attempt.current?.body !== body) attempt.current = { body, key: randomId() }
      send.mutate(
        { app, values, key: attempt.current.key, terms },
        {
          onSuccess: ({ _id }) => {
            attempt.current = null
            setCreated(_id)
            setParams(
              (before) => {
                const next = new URLSearchParams(before)
                next.set('job', _id)
                return next
              },
              { preventScrollReset: true, replace: params.has('job') },
            )
            ensureVisible(result.current)
          },
          onError: (error) => {
            if (!isApiError(error, 0)) attempt.current = null
            if (isApiError(error, 402)) return
            if (isApiError(error) && error.fields.length > 0) setProblems(error.fields)
            toast.error(t('jobCreateError', { message: text(error) }), error)
          },
        },
      )
    },
    [app, params, result, send, setParams, t, text],
  )

  const stop = (event: MouseEvent) => {
    // `detail` is 1 for a first pointer press, and 0 for keys, which repeat while held.
    const isSecond = event.detail !== 1 && performance.now() - pressed.current < RUN_SETTLES_MS
    if (!jobId || isSecond) return
    cancel.mutate(jobId, { onError: (error) => toast.error(jobs('cancelFailed', { message: text(error) }), error) })
  }

  const status = job?.status?.status
  const ended = job && status && !isActive(status) ? job.id : null
  return {
    job,
    active: job !== null && !job.problem && ended === null,
    /** The id of the job once it has ended. */
    ended,
    again,
    created: created !== null && created === jobId,
    seeds: detail.data?.seeds ?? NO_SEEDS,
    /** The terms of the next run, as the form has them. */
    when,
    problems,
    outOfCredits: isApiError(send.error, 402),
    forgetCredits: send.reset,
    sending: send.isPending,
    canceling: cancel.isPending || (cancel.isSuccess && cancel.variables === jobId),
    start,
    cancel: stop,
    forgetProblems: () => setProblems(NONE),
  }
}
