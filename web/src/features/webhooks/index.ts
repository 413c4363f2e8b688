import { chunk } from '@/shared/lib/chunk'
import { lazyPart } from '@/shared/ui/lazy-part'
/** The webhooks of one API, or with null those of the whole account. Its code comes when it is shown. */
export const Webhooks = lazyPart(chunk(() => import('./components/webhooks')))
