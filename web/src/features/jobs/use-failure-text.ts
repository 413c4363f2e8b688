import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { JobStatus, JobStatusName } from '@/shared/api/types'
import { modelFailure } from './model-failure'

type FailedStatus = Exclude<JobStatusName, 'Pending' | 'Connecting' | 'Connected' | 'Running' | 'Done' | 'Canceled'>

/** Why a job failed, as a sentence: a known failure of a model, or else what the status means. */
export function useFailureText(): (status: JobStatus) => string {
  const { t } = useTranslation('appUse')
  return useCallback(
    (status) => {
      const failure = modelFailure(status)
      return t(failure ? `modelFailure.${failure}` : `failure.${status.status as FailedStatus}`)
    },
    [t],
  )
}
