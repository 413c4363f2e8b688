import { session } from '@/shared/lib/storage'
import type { Place } from './model'

export const placeKey = ({ kind, id }: Place): string => `${kind}.${id}`

const PREFIX = 'vg.comment.'
const draftKey = (user: string, place: string) => `${PREFIX}${user}.${place}`

/** Unsent comments, kept in this tab over a reload. */
export const draft = {
  of: (user: string, place: string): string => session.get(draftKey(user, place)) ?? '',
  keep: (user: string, place: string, html: string): void => {
    if (html) session.set(draftKey(user, place), html)
    else session.remove(draftKey(user, place))
  },
}

/** Called on sign-out: the next user of the browser must not see drafts. */
export const dropCommentDrafts = (): void => session.removeAll(PREFIX)
