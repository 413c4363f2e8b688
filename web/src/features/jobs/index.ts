export { jobQuery, jobsQuery, useCancelJob, useRunAgain } from './api'
export { JobDisplay } from './components/job-display'
export { isActive, type LiveJob } from './model'
export { useLiveJob } from './use-live-job'
