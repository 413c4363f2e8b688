import { MutationCache, QueryClient } from '@tanstack/react-query'
import { toast } from '@/shared/ui/toast'
import { isApiError } from './errors'

/** Retries only what a retry can fix: no response, or a server error. */
const shouldRetry = (failures: number, error: unknown): boolean =>
  failures < 2 && isApiError(error) && (error.status === 0 || error.status >= 500)

/** How long a refusal that a page's loader received keeps the page from asking again. */
const REFUSED_MS = 5000

/** Whether the server has just refused this request. The page then does not repeat it. */
export const isFreshRefusal = (error: unknown, at: number, now: number): boolean =>
  isApiError(error) && error.status >= 400 && error.status < 500 && now - at < REFUSED_MS

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** Text of the success toast. */
      done?: () => string
      /** Text of the failure toast; the reason follows below it. */
      failed?: (error: unknown) => string
    }
  }
}

/** Toasts are raised here and not by the calling page, which may be gone by then. */
const mutationToasts = () =>
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
    mutationCache: mutationToasts(),
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: shouldRetry,
        refetchOnWindowFocus: false,
        retryOnMount: ({ state }) => !isFreshRefusal(state.error, state.errorUpdatedAt, Date.now()),
      },
      // Without a network, writes fail at once. They are not queued: a late write would be unexpected.
      mutations: { retry: false, networkMode: 'always' },
    },
  })

export const queryClient = createQueryClient()
