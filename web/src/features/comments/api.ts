import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { numberedQuery } from '@/shared/api/cursor-query'
import { CACHED_ITEMS, keys } from '@/shared/api/keys'
import { dropItem, patchItem } from '@/shared/api/patch-item'
import type { Comment, CommentPage } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'
import {
  asDeleted,
  counted,
  PAGE,
  type Pages,
  type Place,
  type Post,
  REPLIES_PAGE,
  refreshAfter,
  uniqueComments,
  withComment,
  withReaction,
} from './model'

const listKey = ({ kind, id }: Post) => [...keys.comments.of, kind, id] as const
const repliesKey = (parent: string) => [...keys.comments.replies, parent] as const

type Loaded = { state: { data?: { pages: unknown[] } | undefined } }

/** There is no stream of comments: refetches while a conversation is read, and when the reader returns to it. */
export const REFRESH_OPTIONS = {
  refetchOnWindowFocus: 'always',
  refetchInterval: ({ state }: Loaded) => refreshAfter(state.data?.pages.length ?? 0),
} as const

/**
 * Comments on a post, newest first. Signed-in users get their own reactions, without comments of people they blocked.
 */
export const commentsQuery = (post: Post, signedIn: boolean) =>
  numberedQuery(
    [...listKey(post), signedIn] as const,
    (page, signal): Promise<CommentPage> => {
      const ask = { params: { path: { id: post.id }, query: { page, limit: PAGE } }, signal }
      if (post.kind === 'workflow') {
        return data(
          signedIn
            ? api.GET('/api/general/comment/workflow/{id}', ask)
            : api.GET('/api/public/comment/workflow/{id}', ask),
        )
      }
      return data(
        signedIn
          ? api.GET('/api/general/comment/output-asset/{id}', ask)
          : api.GET('/api/public/comment/output-asset/{id}', ask),
      )
    },
    (found) => ({ items: uniqueComments(found), count: found.pages.at(-1)?.commentCount ?? 0 }),
  )

export const repliesQuery = (parent: string, signedIn: boolean) =>
  numberedQuery(
    [...repliesKey(parent), signedIn] as const,
    (page, signal): Promise<CommentPage> => {
      const ask = { params: { path: { id: parent }, query: { page, limit: REPLIES_PAGE } }, signal }
      return data(
        signedIn ? api.GET('/api/general/comment/child/{id}', ask) : api.GET('/api/public/comment/child/{id}', ask),
      )
    },
    uniqueComments,
  )

export const commentQuery = (id: string, signedIn: boolean) =>
  queryOptions({
    queryKey: [...keys.comments.one, id, signedIn] as const,
    queryFn: ({ signal }): Promise<Comment> => {
      const ask = { params: { path: { id } }, signal }
      return data(signedIn ? api.GET('/api/general/comment/{id}', ask) : api.GET('/api/public/comment/{id}', ask))
    },
  })

/** Changes a comment in all loaded lists. Cancels pending fetches, which do not have the change yet. */
const patch = (client: QueryClient, id: string, change: (comment: Comment) => Partial<Comment>) => {
  void client.cancelQueries({ queryKey: keys.comments.all, predicate: ({ state }) => state.data !== undefined })
  return patchItem<Comment>(client, CACHED_ITEMS.comment, id, change)
}

const postOf = (comment: Comment): Post =>
  comment.workflow ? { kind: 'workflow', id: comment.workflow } : { kind: 'outputAsset', id: comment.outputAsset ?? '' }

/** The number above a post's comments includes replies. */
const count = (client: QueryClient, post: Post, step: number): void => {
  client.setQueriesData<Pages>({ queryKey: listKey(post) }, (held) => held && counted(held, step))
}

export function useWriteComment(place: Place) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (content: string): Promise<Comment> => {
      const depth = place.kind === 'parent' ? 1 : 0
      return data(api.POST('/api/general/comment', { body: { [place.kind]: place.id, content, depth } }))
    },
    onSuccess: (comment) => {
      const key = comment.parent ? repliesKey(comment.parent) : listKey(postOf(comment))
      client.setQueriesData<Pages>(
        { queryKey: key },
        (held) => held && withComment(held, comment, comment.parent ? 'end' : 'start'),
      )
      const { parent } = comment
      if (!parent) return
      patch(client, parent, (one) => ({ replyCount: one.replyCount + 1 }))
      count(client, postOf(comment), 1)
    },
  })
}

export function useEditComment(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (content: string): Promise<Comment> =>
      data(api.PATCH('/api/general/comment/{id}', { params: { path: { id } }, body: { content } })),
    onSuccess: ({ content, editedAt }) => void patch(client, id, () => ({ content, editedAt })),
  })
}

/** Deletes a comment. One with replies stays as a placeholder until its last reply is deleted. */
export function useDeleteComment() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ _id }: Comment) => api.DELETE('/api/general/comment/{id}', { params: { path: { id: _id } } }),
    onSuccess: (_answer, { _id, parent, ...comment }) => {
      const key = parent ? repliesKey(parent) : listKey(postOf({ _id, parent, ...comment }))
      client.setQueriesData<Pages>({ queryKey: key }, (held) => held && counted(held, -1))
      patch(client, _id, asDeleted)
      dropItem(client, CACHED_ITEMS.comment, _id, (one: Comment) => one.replyCount === 0)
      if (!parent) return
      patch(client, parent, (one) => ({ replyCount: Math.max(0, one.replyCount - 1) }))
      count(client, postOf({ _id, parent, ...comment }), -1)
    },
  })
}

/** Likes or dislikes: optimistic, rolled back on error, then set to the server's numbers. */
export function useSetReaction() {
  const client = useQueryClient()
  return useMutation({
    once: ({ id }) => id,
    mutationFn: ({ id, like }: { id: string; like: boolean }): Promise<Comment> => {
      const params = { path: { id } }
      return data(
        like
          ? api.POST('/api/general/comment-like/like/{id}', { params })
          : api.POST('/api/general/comment-like/dislike/{id}', { params }),
      )
    },
    onMutate: ({ id, like }) => patch(client, id, (comment) => withReaction(comment, like)),
    onError: (_error, _sent, back) => back?.(),
    onSuccess: ({ isLike, likeCount, dislikeCount }, { id }) =>
      void patch(client, id, () => ({ isLike: isLike ?? null, likeCount, dislikeCount })),
  })
}

/** Reloads the open conversations after a person was blocked or unblocked. */
export const reloadComments = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: keys.comments.all })
