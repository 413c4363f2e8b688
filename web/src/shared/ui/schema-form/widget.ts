import type { ComponentType } from 'react'
import type { FormField } from './read-form'

/** The props of a widget. */
export type WidgetProps = {
  id: string
  field: FormField
  // biome-ignore lint/suspicious/noExplicitAny: a stored value may have any type, and each widget checks its own.
  value: any
  disabled: boolean
  /** The error text. */
  problem?: string | undefined
  /** Data of the feature that owns the form for its widgets. */
  context: object
  onChange: (value: unknown) => void
}

export type Widget = ComponentType<WidgetProps>
