import type { WidgetProps } from '@rjsf/utils'
import type { FormField } from './read-form'

/** The cleaned field that a widget shows. */
export const fieldOf = ({ options }: WidgetProps): FormField | undefined => options.field as FormField | undefined
