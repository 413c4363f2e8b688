import { type ComponentProps, useId } from 'react'
import { classNames } from '@/shared/lib/class-names'
import { controlClass, FieldError, FieldHelp, fieldClasses } from './field'

/** The native select with our style: it works best on phones and with a keyboard. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return <select {...rest} className={classNames(controlClass, className)} />
}

type SelectFieldProps = Omit<ComponentProps<'select'>, 'id'> & {
  label: string
  help?: string | undefined
  error?: string | undefined
}

/** A select with label, help and error. `className` is of the whole field. */
export function SelectField({ label, help, error, className, ...select }: SelectFieldProps) {
  const id = useId()
  const notes = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={classNames(fieldClasses.field, className)}>
      <label className={fieldClasses.label} htmlFor={id}>
        {label}
      </label>
      <Select {...select} id={id} aria-invalid={error ? true : undefined} aria-describedby={notes || undefined} />
      {help && <FieldHelp id={`${id}-help`}>{help}</FieldHelp>}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}
