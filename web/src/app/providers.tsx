import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ConfirmProvider } from '@/shared/ui/dialog'
import { UiProvider } from '@/shared/ui/ui-provider'

/** Everything that a page may rely on. */
export function Providers({ client, children }: { client: QueryClient; children: ReactNode }) {
  return (
    <QueryClientProvider client={client}>
      <UiProvider>
        <ConfirmProvider>{children}</ConfirmProvider>
      </UiProvider>
    </QueryClientProvider>
  )
}
