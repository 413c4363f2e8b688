import { useQuery } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useUser } from '@/features/auth'
import { jobQuery, useCancelJob, useLiveJob } from '@/features/jobs'
import { type FieldProblem, isApiError } from '@/shared/api/errors'
import { useProblemText } from '@/shared/lib/problem-text'
import type { FormValues } from '@/shared/ui/schema-form/read-form'
import { useToast } from '@/shared/ui/toast'
import { useRun } from './api'

const NONE: FieldProblem[] = []
const NO_SEEDS: Record<string, number> = {}

/** The job of a mini-app page: its id stands in the address, so that a reload finds it again. */
export function useAppRun(app: string) {
  const { t } = useTranslation('miniApps')
  const { t: jobs } = useTranslation('jobs')
  const toast = useToast()
  const text = useProblemText()
  const user = useUser()
  const [params, setParams] = useSearchParams()
  const [problems, setProblems] = useState<FieldProblem[]>(NONE)
  const jobId = user ? params.get('job') : null
  const job = useLiveJob(jobId)
  const detail = useQuery({ ...jobQuery(jobId ?? ''), enabled: jobId !== null })
  const send = useRun()
  const cancel = useCancelJob()
  const attempt = useRef<{ body: string; key: string } | null>(null)

  const start = useCallback(
    (values: FormValues) => {
      setProblems(NONE)
      // The same form after a lost answer is the same submit, so it keeps its key; a changed form is a new one.
      const body = JSON.stringify(values)
      if (attempt.current?.body !== body) attempt.current = { body, key: crypto.randomUUID() }
      send.mutate(
        { app, values, key: attempt.current.key },
        {
          onSuccess: ({ _id }) => {
            attempt.current = null
            toast.success(t('jobCreated', { id: _id }))
            setParams({ job: _id }, { preventScrollReset: true, replace: params.has('job') })
            window.scrollTo({ top: 0, behavior: 'smooth' })
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
    [app, params, send, setParams, t, text, toast],
  )

  const stop = () => {
    if (jobId)
      cancel.mutate(jobId, { onError: (error) => toast.error(jobs('cancelFailed', { message: text(error) }), error) })
  }

  return {
    job,
    seeds: detail.data?.seeds ?? NO_SEEDS,
    problems,
    outOfCredits: isApiError(send.error, 402),
    sending: send.isPending,
    canceling: cancel.isPending || (cancel.isSuccess && cancel.variables === jobId),
    start,
    cancel: stop,
    forgetProblems: () => setProblems(NONE),
  }
}
