import type { QueryClient } from '@tanstack/react-query'
import { userQuery } from '@/features/auth'
import { isApiError } from '@/shared/api/errors'

/**
 * A session can end while the page is open. The first refused question makes everything show what a guest sees,
 * with the way to sign in, instead of an error in every corner.
 */
export function watchSession(client: QueryClient): () => void {
  return client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'error') return
    if (!isApiError(event.action.error, 401)) return
    if (client.getQueryData(userQuery().queryKey)) client.setQueryData(userQuery().queryKey, null)
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
