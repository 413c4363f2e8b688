export { jobQuery, jobsQuery, useCancelJob, useRunPrompt } from './api'
export { JobDisplay } from './components/job-display'
export { isActive, type LiveJob } from './model'
export { useLiveJob } from './use-live-job'
