import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { UiProvider } from '@/shared/ui/ui-provider'
import { FatalErrorScreen } from './error-screens/fatal-error-screen'

export function Providers({ client, children }: { client: QueryClient; children: ReactNode }) {
  return (
    <ErrorBoundary fallback={<FatalErrorScreen />}>
      <QueryClientProvider client={client}>
        <UiProvider>{children}</UiProvider>
      </QueryClientProvider>
    </ErrorBoundary>
  )
}
