import type { QueryClient } from '@tanstack/react-query'
import { leave, syncTabs, userQuery } from '@/features/auth'
import { onReconnect, watchNetwork } from '@/shared/api/connection'
import { isApiError } from '@/shared/api/errors'
import { onSessionEnd } from '@/shared/api/session-end'
import { onTabMessage } from '@/shared/lib/tabs'

/**
 * A session can end while the page is open. The first 401 shows the guest view with a way to sign in, not an error in
 * each part of the page. Other tabs follow.
 */
export function watchSession(client: QueryClient): () => void {
  const stopSession = onSessionEnd(() => {
    if (client.getQueryData(userQuery().queryKey)) leave(client)
  })
  const stopTabs = onTabMessage(() => void syncTabs(client).catch(() => undefined))
  return () => {
    stopSession()
    stopTabs()
  }
}

/** Refetches failed queries when the server is reachable again. */
export function watchConnection(client: QueryClient): () => void {
  watchNetwork()
  return onReconnect(() => {
    void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
  })
}

/**
 * A ban can begin or end while the page is open. The first call that is refused because of a ban reloads the user, so
 * that the banner shows the reason and the end.
 */
export function watchBans(client: QueryClient): () => void {
  return client.getMutationCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'error') return
    const { error } = event.action
    if (!isApiError(error, 403) || error.code !== 'ACCOUNT_BANNED') return
    if (!client.getQueryData(userQuery().queryKey)?.ban) void client.invalidateQueries(userQuery())
  })
}
