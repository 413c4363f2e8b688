import { useQuery } from '@tanstack/react-query'
import { planQuery, useUser } from '@/features/auth'

/**
 * Whether whoever looks may make a published picture private again: a plan with Stealth Mode may, and admins. `undefined`
 * until it is known, so that nothing is promised that then fails.
 */
export function useMayHide(): boolean | undefined {
  const user = useUser()
  const admin = Boolean(user?.roles.includes('Admin'))
  const plan = useQuery({ ...planQuery(), enabled: Boolean(user) && !admin, staleTime: 60_000 })
  return admin || plan.data?.stealthMode
}
