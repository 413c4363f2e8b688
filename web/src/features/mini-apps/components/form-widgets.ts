import { UPLOAD_WIDGETS } from './image-widget'
import { ModelWidget } from './model-widget'

/** The widgets of a mini app's form besides the usual ones. */
export const FORM_WIDGETS = { ...UPLOAD_WIDGETS, model: ModelWidget }
