import { MutationCache, QueryClient } from '@tanstack/react-query'
import { toast } from '@/shared/ui/toast'
import { isApiError } from './errors'

/** Only failures that another try can mend are tried again: no answer, or a fault of the server. */
export const worthRetrying = (failures: number, error: unknown): boolean =>
  failures < 2 && isApiError(error) && (error.status === 0 || error.status >= 500)

/** How long what a page's loader was refused is not asked for once more by the page itself. */
const REFUSED_MS = 5000

/** Whether the server has just said no to this: that there is no such thing is not asked twice. */
export const isFreshRefusal = (error: unknown, at: number, now: number): boolean =>
  isApiError(error) && error.status >= 400 && error.status < 500 && now - at < REFUSED_MS

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** Words of the notice that it is done. */
      done?: () => string
      /** Words of the notice that it failed; why stands below them. */
      failed?: (error: unknown) => string
    }
  }
}

/** What an act says of itself is said here, once, and not by the page that began it: that may be gone by then. */
const tell = () =>
  new MutationCache({
    onSuccess: (_data, _variables, _context, { meta }) => {
      if (meta?.done) toast.success(meta.done())
    },
    onError: (error, _variables, _context, { meta }) => {
      if (meta?.failed) toast.error(meta.failed(error), error)
    },
  })

export const createQueryClient = () =>
  new QueryClient({
    mutationCache: tell(),
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
