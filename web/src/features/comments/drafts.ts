import { session } from '@/shared/lib/storage'
import type { Place } from './model'

/** Names a place among the drafts. */
export const placeKey = ({ kind, id }: Place): string => `${kind}.${id}`

const PREFIX = 'vg.comment.'
const draftKey = (user: string, place: string) => `${PREFIX}${user}.${place}`

/** What somebody has begun to write, kept in this tab over a reload. */
export const draft = {
  of: (user: string, place: string): string => session.get(draftKey(user, place)) ?? '',
  keep: (user: string, place: string, html: string): void => {
    if (html) session.set(draftKey(user, place), html)
    else session.remove(draftKey(user, place))
  },
}

/** Forgets what was begun: whoever sits here next must not find it. */
export const dropCommentDrafts = (): void => session.removeAll(PREFIX)
