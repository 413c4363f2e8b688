import { chunk } from '@/shared/lib/chunk'
import { lazyPart } from '@/shared/ui/lazy-part'

export { jobQuery, jobsQuery, originQuery, outputsQuery, runsQuery, useCancelJob } from './api'
export { JobDisplay } from './components/job-display'
export { chipTone, exceptionDetails, exceptionMessage, isActive, type LiveJob, RUNNING_REFRESH_MS } from './model'
export { useLiveJob } from './use-live-job'
export { useRerun } from './use-rerun'

/** Offers to publish the outputs of a job. */
export const PublishResult = lazyPart(chunk(() => import('./components/publish-result')))
