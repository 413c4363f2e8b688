import { QueryClient } from '@tanstack/react-query'
import { isApiError } from './errors'

/** Only failures that another try can mend are tried again: no answer, or a fault of the server. */
export const worthRetrying = (failures: number, error: unknown): boolean =>
  failures < 2 && isApiError(error) && (error.status === 0 || error.status >= 500)

/** How long what a page's loader was refused is not asked for once more by the page itself. */
const REFUSED_MS = 5000

/** Whether the server has just said no to this: that there is no such thing is not asked twice. */
export const isFreshRefusal = (error: unknown, at: number, now: number): boolean =>
  isApiError(error) && error.status >= 400 && error.status < 500 && now - at < REFUSED_MS

export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: worthRetrying,
        refetchOnWindowFocus: false,
        retryOnMount: ({ state }) => !isFreshRefusal(state.error, state.errorUpdatedAt, Date.now()),
      },
      // Without a network an act fails and says so. It does not wait to be done later, when nobody expects it.
      mutations: { retry: false, networkMode: 'always' },
    },
  })

export const queryClient = createQueryClient()
