export { endChat } from './channel'

import { chunk } from '@/shared/lib/chunk'
import { lazyPart } from '@/shared/ui/lazy-part'
import { SilentRetry } from '@/shared/ui/load-error'
/** Loaded after sign-in. */
export const SupportChat = lazyPart(
  chunk(() => import('./support-chat')),
  SilentRetry,
)
