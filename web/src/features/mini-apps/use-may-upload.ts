import { useCallback } from 'react'
import { useLoginDialog } from '@/features/auth'
import type { User } from '@/shared/api/types'

/** Opens the login modal for guests and returns false. */
export function useMayUpload(user: User | null | undefined): () => boolean {
  const openLogin = useLoginDialog()
  return useCallback(() => {
    if (user === null) openLogin()
    return user !== null
  }, [user, openLogin])
}
