import { chunk } from '@/shared/lib/chunk'
import { lazyPart } from '@/shared/ui/lazy-part'

export { jobQuery, jobsQuery, originQuery, outputsQuery, runsQuery, useCancelJob } from './api'
export { JobDisplay } from './components/job-display'
export { WaitReason } from './components/lazy-wait-reason'
export {
  chipTone,
  exceptionDetails,
  exceptionMessage,
  extensionOf,
  isActive,
  type LiveJob,
  queueText,
  RUNNING_REFRESH_MS,
  runningText,
} from './model'
export { useFailureText } from './use-failure-text'
export { useLiveJob } from './use-live-job'
export { useRerun } from './use-rerun'

/** Offers to publish the outputs of a job. */
export const PublishResult = lazyPart(chunk(() => import('./components/publish-result')))
