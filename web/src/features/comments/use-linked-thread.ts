import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { useUser } from '@/features/auth'
import { isApiError } from '@/shared/api/errors'
import type { Comment } from '@/shared/api/types'
import { commentQuery } from './api'
import { isBelow, type Post } from './model'

type Linked = {
  /** What the address names. */
  comment: Comment | undefined
  /** The comment that its thread begins with: itself, or what it answers. */
  root: Comment | undefined
  /** The address names a comment that is not there any more. */
  isGone: boolean
}

/** The comment that `?comment=` names, as letters and notifications lead to it, wherever in the list it stands. */
export function useLinkedThread(post: Post): Linked {
  const [params] = useSearchParams()
  const user = useUser()
  const id = params.get('comment') ?? ''
  const named = useQuery({ ...commentQuery(id, Boolean(user)), enabled: id !== '' && user !== undefined })
  const comment = named.data && isBelow(named.data, post) ? named.data : undefined
  const parent = comment?.parent ?? ''
  const above = useQuery({ ...commentQuery(parent, Boolean(user)), enabled: parent !== '' })
  return {
    comment,
    root: parent ? above.data : comment,
    isGone: [named, above].some(({ error }) => isApiError(error) && [400, 404].includes(error.status)),
  }
}
