import { useLiveJobs } from './use-live-jobs'

/** Keeps what shows jobs and credits up to date; draws nothing. */
export default function LiveJobs() {
  useLiveJobs(true)
  return null
}
