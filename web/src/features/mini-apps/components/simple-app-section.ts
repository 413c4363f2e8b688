import { withTexts } from '@/shared/i18n'
import { chunk } from '@/shared/lib/chunk'
import { lazyPart } from '@/shared/ui/lazy-part'
import { SilentRetry } from '@/shared/ui/load-error'

/** Cards of the simple apps; nothing while none is set up. */
export const SimpleAppCards = lazyPart(withTexts(chunk(() => import('./simple-app-cards'))), SilentRetry)
