import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { UiProvider } from '@/shared/ui/ui-provider'
import { LastScreen } from './error-screens/last-screen'

/** Everything that a page may rely on. */
export function Providers({ client, children }: { client: QueryClient; children: ReactNode }) {
  return (
    <ErrorBoundary fallback={<LastScreen />}>
      <QueryClientProvider client={client}>
        <UiProvider>{children}</UiProvider>
      </QueryClientProvider>
    </ErrorBoundary>
  )
}
