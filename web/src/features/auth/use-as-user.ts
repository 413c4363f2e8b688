import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { User } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import { useToast } from '@/shared/ui/toast'
import { userQuery } from './api'
import { useLoginDialog } from './components/login-dialog'

/**
 * Does what only somebody who is signed in can do, and asks a guest to sign in. A press that comes before it is known
 * who is here waits for the answer: nobody is asked to sign in twice, and no press is lost.
 */
export function useAsUser(): (act: (user: User) => void) => void {
  const client = useQueryClient()
  const openLogin = useLoginDialog()
  const toast = useToast()
  const text = useProblemText()
  return useCallback(
    (act) => {
      const go = (user: User | null) => (user ? act(user) : openLogin())
      const known = client.getQueryData(userQuery().queryKey)
      if (known !== undefined) return go(known)
      client.fetchQuery(userQuery()).then(go, (error: unknown) => toast.error(text(error), error))
    },
    [client, openLogin, toast, text],
  )
}
