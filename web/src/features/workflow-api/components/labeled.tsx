import { type ReactNode, useId } from 'react'
import { FieldError, FieldHelp, fieldClasses } from '@/shared/ui/field'

type Control = { id: string; 'aria-invalid'?: true; 'aria-describedby'?: string }
type LabeledProps = {
  label: string
  help?: string | undefined
  error?: string | undefined
  children: (control: Control) => ReactNode
}

/** Any control with a label, help and error. */
export function Labeled({ label, help, error, children }: LabeledProps) {
  const id = useId()
  const notes = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={fieldClasses.field}>
      <label className={fieldClasses.label} htmlFor={id}>
        {label}
      </label>
      {children({ id, ...(error && { 'aria-invalid': true }), ...(notes && { 'aria-describedby': notes }) })}
      {help && <FieldHelp id={`${id}-help`}>{help}</FieldHelp>}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}
