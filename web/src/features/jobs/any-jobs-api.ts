import { api, data } from '@/shared/api/client'
import { cursorQuery } from '@/shared/api/cursor-query'
import { keys } from '@/shared/api/keys'
import type { AnyJobsPage } from '@/shared/api/types'
import { type AnyJobFilters, toJobsQuery } from './any-jobs-model'

const PAGE = 50

/** The jobs of all users, for admins. */
export const anyJobsQuery = (filters: AnyJobFilters) => ({
  ...cursorQuery([...keys.jobs.any, filters], (next, signal): Promise<AnyJobsPage> => {
    const query = { limit: PAGE, ...toJobsQuery(filters), ...next }
    return data(api.GET('/api/admin/job', { params: { query }, signal }))
  }),
  staleTime: 0,
})
