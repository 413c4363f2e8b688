import type { Notification } from '@/shared/api/types'

/** A factory of notifications: a comment on a workflow. */
export const notification = (change: Partial<Notification> = {}): Notification => ({
  _id: 'n-1',
  type: 'COMMENT',
  user: { _id: 'user-1', name: 'Mira', profile: null, roles: ['Customer'] },
  workflow: 'w-1',
  outputAsset: null,
  comment: 'c-1',
  categoryType: 'WORKFLOW',
  title: { workflow: 'Silk', count: null },
  recomment: false,
  content: 'Lovely',
  othersType: null,
  createdAt: '2026-11-20T08:00:00Z',
  checkedAt: null,
  ...change,
})
