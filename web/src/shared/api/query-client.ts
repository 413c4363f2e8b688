import { QueryClient } from '@tanstack/react-query'
import { isApiError } from './errors'

/** Only failures that another try can mend are tried again: no answer, or a fault of the server. */
export const worthRetrying = (failures: number, error: unknown): boolean =>
  failures < 2 && isApiError(error) && (error.status === 0 || error.status >= 500)

export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: { staleTime: 30_000, retry: worthRetrying, refetchOnWindowFocus: false },
      mutations: { retry: false },
    },
  })

export const queryClient = createQueryClient()
