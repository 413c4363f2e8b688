import { withTexts } from '@/shared/i18n'
import { chunk } from '@/shared/lib/chunk'
import { lazyPart } from '@/shared/ui/lazy-part'
import { SilentRetry } from '@/shared/ui/load-error'

/** Most jobs start before their page needs it. */
export const WaitReason = lazyPart(withTexts(chunk(() => import('./wait-reason'))), SilentRetry)
