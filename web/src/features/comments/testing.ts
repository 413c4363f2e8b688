import type { Comment, CommentPage } from '@/shared/api/types'

/** Factories of comments and of a list with one page. */
export const comment = (change: Partial<Comment> = {}): Comment => ({
  _id: 'comment-1',
  user: { _id: 'user-1', name: 'Mira', profile: null, roles: ['Customer'] },
  content: '<p>Lovely</p>',
  depth: 0,
  parent: null,
  workflow: 'workflow-1',
  outputAsset: null,
  replyCount: 0,
  likeCount: 3,
  dislikeCount: 1,
  isLike: null,
  createdAt: '2026-11-20T08:00:00Z',
  editedAt: null,
  isHidden: false,
  ...change,
})

export const page = (...items: Comment[]): CommentPage => ({
  items,
  commentCount: items.length,
  pagination: { currentPage: 1, totalPages: 1, totalCount: items.length, limit: 20 },
})
