export { endChat } from './channel'

import { chunk } from '@/shared/lib/chunk'
import { lazyPart } from '@/shared/ui/lazy-part'
import { PartLeftOut } from '@/shared/ui/part-lost'
/** Comes once somebody is signed in: nobody waits for it. */
export const SupportChat = lazyPart(
  chunk(() => import('./support-chat')),
  PartLeftOut,
)
