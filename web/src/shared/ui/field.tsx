import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from '@/shared/lib/class-names'
import styles from './field.module.css'
import { Icon } from './icon'

/** The class of text-like controls, for widgets with their own markup. */
export const controlClass = styles.control

type TextFieldProps = Omit<ComponentProps<'input'>, 'id'> & {
  label: string
  help?: string
  error?: string | undefined
  action?: ReactNode
}

/** A text input with label, help and error. */
export function TextField({ label, help, error, action, className, ...input }: TextFieldProps) {
  const id = useId()
  const notes = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ')
  const control = (
    <input
      {...input}
      id={id}
      className={classNames(styles.control, className)}
      aria-invalid={error ? true : undefined}
      aria-describedby={notes || undefined}
    />
  )
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {action ? (
        <div className={styles.withAction}>
          {control}
          <span className={styles.action}>{action}</span>
        </div>
      ) : (
        control
      )}
      {help && <FieldHelp id={`${id}-help`}>{help}</FieldHelp>}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}

type TextAreaProps = Omit<ComponentProps<'textarea'>, 'id'> & {
  label: string
  help?: string
  error?: string | undefined
}

/** A text area with the remaining length if it has a limit. */
export function TextArea({ label, help, error, className, ...area }: TextAreaProps) {
  const id = useId()
  const { maxLength, value } = area
  const notes = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <textarea
        rows={3}
        {...area}
        id={id}
        className={classNames(styles.control, className)}
        aria-invalid={error ? true : undefined}
        aria-describedby={notes || undefined}
      />
      {(help || maxLength) && (
        <div className={styles.notes}>
          {help && <FieldHelp id={`${id}-help`}>{help}</FieldHelp>}
          {maxLength && typeof value === 'string' && (
            <span className={styles.count} aria-hidden="true">{`${value.length}/${maxLength}`}</span>
          )}
        </div>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}

export function FieldHelp({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p className={styles.help} id={id}>
      {children}
    </p>
  )
}

export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p className={styles.error} id={id} role="alert">
      <Icon name="warning" size={14} />
      {children}
    </p>
  )
}

export const fieldClasses = { field: styles.field, label: styles.label, star: styles.star }
