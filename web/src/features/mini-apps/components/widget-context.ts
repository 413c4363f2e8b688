import type { TrackUpload } from '@/shared/lib/use-pending-uploads'
import type { ReadForm, WidgetName } from '@/shared/ui/schema-form/read-form'
import type { WidgetProps } from '@/shared/ui/schema-form/widget'
import type { KnownImage } from '../draft'

/** What the widgets of this feature need beyond their value. */
export type WidgetContext = {
  images: Record<string, KnownImage>
  rememberImage: (image: KnownImage) => void
  /** Opens the login modal for guests and returns false. */
  mayUpload: () => boolean
  /** Blocks the submit while a file is uploading; the returned function releases it. */
  trackUpload: TrackUpload
  /** The number of the form's fields with this widget. */
  countOf: (widget: WidgetName) => number
}

/** The number of fields of a form with a widget. */
export const countOf = (form: ReadForm, widget: WidgetName): number =>
  form.fields.filter((field) => field.widget === widget).length

export const contextOf = ({ context }: WidgetProps): WidgetContext => context as WidgetContext
