import { chunk } from '@/shared/lib/chunk'
import { lazyPart } from '@/shared/ui/lazy-part'
/** The webhooks of one API, or with null those of the account. Loaded on demand. */
export const Webhooks = lazyPart(chunk(() => import('./components/webhooks')))
