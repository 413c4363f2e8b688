import { withTexts } from '@/shared/i18n'
import { chunk } from '@/shared/lib/chunk'
import { DialogLost } from '@/shared/ui/dialog-lost'
import { lazyPart } from '@/shared/ui/lazy-part'

/** Draws a mask on a picture, above the page. Its code comes when it is first opened. */
export const MaskEditor = lazyPart(withTexts(chunk(() => import('./components/mask-editor'))), DialogLost)
