export { jobQuery, jobsQuery, outputsQuery, runsQuery, useCancelJob, useRunAgain } from './api'
export { JobDisplay } from './components/job-display'
export { chipTone, isActive, type LiveJob, RUNNING_REFRESH_MS } from './model'
export { useLiveJob } from './use-live-job'
