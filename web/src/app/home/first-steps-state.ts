import type { User } from '@/shared/api/types'
import { local } from '@/shared/lib/storage'

const DISMISSED = 'vg.firstSteps.'
const NEW_FOR_MS = 30 * 86_400_000

/** Whether to show the guide: the account is new, and the guide was not dismissed in this browser. */
export const shouldShowFirstSteps = (user: User, now = Date.now()): boolean =>
  now - Date.parse(user.createdAt) < NEW_FOR_MS && local.get(DISMISSED + user._id) === null

export const dismissFirstSteps = (user: User): void => local.set(DISMISSED + user._id, 'yes')
