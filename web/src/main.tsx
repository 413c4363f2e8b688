import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import '@/shared/theme/tokens.css'
import '@/shared/theme/base.css'
import '@/shared/theme/opening.css'
import { watchBans, watchConnection, watchSession } from '@/app/guards'
import { whenMoreIsThere } from '@/app/opening'
import { Providers } from '@/app/providers'
import { createRouter } from '@/app/router'
import { forgetFirstScroll } from '@/app/shell/keep-scroll'
import { queryClient } from '@/shared/api/query-client'
import { startI18n } from '@/shared/i18n'
import { watchPresses } from '@/shared/lib/one-press'

const root = document.getElementById('root')
if (!root) throw new Error('the page has no root element')

watchSession(queryClient)
watchBans(queryClient)
watchConnection(queryClient)
watchPresses()
forgetFirstScroll()
await startI18n()
const router = createRouter(queryClient)

function draw(root: HTMLElement): void {
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
}

// Nothing waits for it up here: the code of pages uses parts of this module, and would wait in turn.
void whenMoreIsThere(router, queryClient).then(() => draw(root))
