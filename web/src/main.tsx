import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import '@/shared/theme/tokens.css'
import '@/shared/theme/base.css'
import '@/shared/theme/opening.css'
import { watchBans, watchConnection, watchSession } from '@/app/guards'
import { whenPageReady } from '@/app/page-ready'
import { Providers } from '@/app/providers'
import { createRouter } from '@/app/router'
import { clearInitialScroll } from '@/app/shell/scroll-restoration'
import { queryClient } from '@/shared/api/query-client'
import { startI18n } from '@/shared/i18n'
import { guardDoubleClicks } from '@/shared/lib/double-click-guard'

const root = document.getElementById('root')
if (!root) throw new Error('the page has no root element')

watchSession(queryClient)
watchBans(queryClient)
watchConnection(queryClient)
guardDoubleClicks()
clearInitialScroll()
await startI18n()
const router = createRouter(queryClient)

function draw(root: HTMLElement): void {
  // A transition renders in slices, so a slow phone stays responsive.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <Providers client={queryClient}>
          <RouterProvider router={router} />
        </Providers>
      </StrictMode>,
    ),
  )
}

// No top-level await: page chunks import this module and would wait for it in turn.
void whenPageReady(router, queryClient).then(() => draw(root))
