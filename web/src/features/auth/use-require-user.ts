import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { User } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import { toast } from '@/shared/ui/toast'
import { userQuery } from './api'
import { useLoginDialog } from './components/login-dialog'

/**
 * Runs an action that needs a user, and asks guests to sign in. A press before the session is known waits for it, so
 * that no press is lost.
 */
export function useRequireUser(): (act: (user: User) => void) => void {
  const client = useQueryClient()
  const openLogin = useLoginDialog()
  const text = useProblemText()
  return useCallback(
    (act) => {
      const go = (user: User | null) => (user ? act(user) : openLogin())
      const known = client.getQueryData(userQuery().queryKey)
      if (known !== undefined) return go(known)
      client.fetchQuery(userQuery()).then(go, (error: unknown) => toast.error(text(error), error))
    },
    [client, openLogin, text],
  )
}
