import type { User } from '@/shared/api/types'
import { local } from '@/shared/lib/storage'

const DISMISSED = 'vg.firstSteps.'
/** Whoever is here for longer knows their way. */
const NEW_FOR_MS = 30 * 86_400_000

/** Whether the guide is for this person: new, and not sent away in this browser. */
export const wantsFirstSteps = (user: User, now = Date.now()): boolean =>
  now - Date.parse(user.createdAt) < NEW_FOR_MS && local.get(DISMISSED + user._id) === null

export const dismissFirstSteps = (user: User): void => local.set(DISMISSED + user._id, 'yes')
