import { withTexts } from '@/shared/i18n'
import { chunk } from '@/shared/lib/chunk'
import { DialogLoadError } from '@/shared/ui/dialog-load-error'
import { lazyPart } from '@/shared/ui/lazy-part'

export type { PictureRef } from './api'

/** The mask editor, loaded when first opened. */
export const MaskEditor = lazyPart(withTexts(chunk(() => import('./components/mask-editor'))), DialogLoadError)
