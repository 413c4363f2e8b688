import type { Hold } from '@/shared/lib/use-holds'
import type { WidgetProps } from '@/shared/ui/schema-form/widget'
import type { KnownImage } from '../draft'

/** What the widgets of this feature need beyond their value. */
export type WidgetContext = {
  images: Record<string, KnownImage>
  rememberImage: (image: KnownImage) => void
  /** Opens the login modal for a guest and returns false; true for everyone else. */
  mayUpload: () => boolean
  /** Keeps the form from being sent until what it gives back is called: a file is on its way. */
  holdRun: Hold
  imageFields: number
}

export const contextOf = ({ context }: WidgetProps): WidgetContext => context as WidgetContext
