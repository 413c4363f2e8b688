import type { QueryClient } from '@tanstack/react-query'
import { wasSignedIn } from '@/features/auth'
import { keys } from '@/shared/api/keys'
import type { createRouter } from './router'

/** After this time the prerendered text is replaced even if answers are missing, so that errors show. */
const MAX_WAIT_MS = 8000

type Router = Pick<ReturnType<typeof createRouter>, 'state' | 'subscribe'>

/**
 * The server renders a text version of the page into the HTML. Resolves when the program can show as much: its code and
 * first data are loaded. Until then the text stays, so that no skeleton replaces it.
 */
export function whenPageReady(router: Router, client: QueryClient, page: ParentNode = document): Promise<void> {
  if (!page.querySelector('.opening')) return Promise.resolve()
  return new Promise((resolve) => {
    // Without an earlier sign-in the visitor counts as guest before the server answers.
    const [account] = wasSignedIn() ? [] : keys.auth.user
    const isAwaited = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== account
    const look = () => {
      if (router.state.initialized && client.isFetching({ predicate: isAwaited }) === 0) end()
    }
    const ends = [router.subscribe(look), client.getQueryCache().subscribe(look)]
    const timer = setTimeout(() => end(), MAX_WAIT_MS)
    function end() {
      clearTimeout(timer)
      for (const stop of ends) stop()
      resolve()
    }
    look()
  })
}
