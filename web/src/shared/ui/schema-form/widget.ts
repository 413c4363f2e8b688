import type { ComponentType } from 'react'
import type { FormField } from './read-form'

/** What a widget is given to show a field. */
export type WidgetProps = {
  id: string
  field: FormField
  // biome-ignore lint/suspicious/noExplicitAny: a stored value may be of any type, and each widget looks at its own.
  value: any
  disabled: boolean
  /** What is wrong with the value. */
  problem?: string | undefined
  /** What the feature that owns the form tells its widgets. */
  context: object
  onChange: (value: unknown) => void
}

export type Widget = ComponentType<WidgetProps>
