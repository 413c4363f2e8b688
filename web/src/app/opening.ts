import type { QueryClient } from '@tanstack/react-query'
import { wasSignedIn } from '@/features/auth'
import { keys } from '@/shared/api/keys'
import type { createRouter } from './router'

/** How long an opening stays when an answer does not come: a page that says so is better then. */
const PATIENCE_MS = 8000

type Router = Pick<ReturnType<typeof createRouter>, 'state' | 'subscribe'>

/**
 * The server has written what this page is about into it. Resolves when the program has as much to show, its code and
 * its first data: what somebody reads already is not taken away for a skeleton.
 */
export function whenMoreIsThere(router: Router, client: QueryClient, page: ParentNode = document): Promise<void> {
  if (!page.querySelector('.opening')) return Promise.resolve()
  return new Promise((resolve) => {
    // Who was never signed in here is a guest to the page, before the server says so.
    const [account] = wasSignedIn() ? [] : keys.auth.user
    const isAwaited = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== account
    const look = () => {
      if (router.state.initialized && client.isFetching({ predicate: isAwaited }) === 0) end()
    }
    const ends = [router.subscribe(look), client.getQueryCache().subscribe(look)]
    const timer = setTimeout(() => end(), PATIENCE_MS)
    function end() {
      clearTimeout(timer)
      for (const stop of ends) stop()
      resolve()
    }
    look()
  })
}
