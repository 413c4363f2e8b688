import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import '@/shared/theme/tokens.css'
import '@/shared/theme/base.css'
import { watchBans, watchConnection, watchSession } from '@/app/guards'
import { Providers } from '@/app/providers'
import { createRouter } from '@/app/router'
import { queryClient } from '@/shared/api/query-client'
import { startI18n } from '@/shared/i18n'

const root = document.getElementById('root')
if (!root) throw new Error('the page has no root element')

watchSession(queryClient)
watchBans(queryClient)
watchConnection(queryClient)
await startI18n()
const router = createRouter(queryClient)
// In pieces: a slow phone hears its user between them.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <Providers client={queryClient}>
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>,
  ),
)
