import { useQuery } from '@tanstack/react-query'
import { planQuery, useUser } from './api'

/** Whether somebody may make private again what is public, as far as it is known. */
export type Hiding =
  | { is: 'unknown' }
  | { is: 'allowed' }
  | { is: 'refused'; plan: string }
  | { is: 'failed'; error: Error; retry: () => void }

/**
 * Whether whoever looks may make a published post or picture private again: a plan with Stealth Mode may, and admins.
 * Until it is known nothing is promised that then fails. `wanted` is whether anything depends on it.
 */
export function useHiding(wanted = true): Hiding {
  const user = useUser()
  const admin = Boolean(user?.roles.includes('Admin'))
  const plan = useQuery({ ...planQuery(), enabled: wanted && Boolean(user) && !admin, staleTime: 60_000 })
  if (admin) return { is: 'allowed' }
  if (plan.data) return plan.data.stealthMode ? { is: 'allowed' } : { is: 'refused', plan: plan.data.name }
  return plan.isError ? { is: 'failed', error: plan.error, retry: () => void plan.refetch() } : { is: 'unknown' }
}
