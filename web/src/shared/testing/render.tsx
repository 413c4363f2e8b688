import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { createQueryClient } from '@/shared/api/query-client'
import { UiProvider } from '@/shared/ui/ui-provider'

/** Renders a component with the providers that the application has. */
export function renderApp(
  part: ReactNode,
  { path = '/', client = createQueryClient() }: { path?: string; client?: QueryClient } = {},
) {
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } })
  const router = createMemoryRouter([{ path: '*', element: part }], { initialEntries: [path] })
  const view = render(
    <QueryClientProvider client={client}>
      <UiProvider>
        <RouterProvider router={router} />
      </UiProvider>
    </QueryClientProvider>,
  )
  return { ...view, client, router }
}
