import type { QueryClient } from '@tanstack/react-query'
import { followTabs, leave, userQuery } from '@/features/auth'
import { onReturn, watchNetwork } from '@/shared/api/connection'
import { isApiError } from '@/shared/api/errors'
import { onSessionEnd } from '@/shared/api/session-end'
import { hearTabs } from '@/shared/lib/tabs'

/**
 * A session can end while the page is open. The first refused question makes everything show what a guest sees,
 * with the way to sign in, instead of an error in every corner. What is done in one tab shows in the others.
 */
export function watchSession(client: QueryClient): () => void {
  const heard = onSessionEnd(() => {
    if (client.getQueryData(userQuery().queryKey)) leave(client)
  })
  const told = hearTabs(() => void followTabs(client).catch(() => undefined))
  return () => {
    heard()
    told()
  }
}

/** The server was away and is back: what failed meanwhile is asked for again, without a press. */
export function watchConnection(client: QueryClient): () => void {
  watchNetwork()
  return onReturn(() => {
    void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
  })
}

/**
 * Somebody can be banned while the page is open, and a ban ends by itself. The first act that is refused for it asks
 * anew who is here, and the banner says until when and why, whatever the act itself says.
 */
export function watchBans(client: QueryClient): () => void {
  return client.getMutationCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'error') return
    const { error } = event.action
    if (!isApiError(error, 403) || error.code !== 'ACCOUNT_BANNED') return
    if (!client.getQueryData(userQuery().queryKey)?.ban) void client.invalidateQueries(userQuery())
  })
}
