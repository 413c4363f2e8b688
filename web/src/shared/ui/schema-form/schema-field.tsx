import { memo, useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { FieldError, FieldHelp, fieldClasses } from '../field'
import { isEmpty, isNumeric } from './check-values'
import type { Widget, WidgetProps } from './widget'

/** Widgets with several controls: the label names the group instead of one input. */
const GROUPS = new Set(['seed', 'image', 'video', 'audio', 'textfile', 'toggle'])

/** Ids for `aria-describedby`. */
export const notesOf = (id: string, hasHelp: boolean, hasError: boolean): string | undefined =>
  [hasHelp && `${id}-help`, hasError && `${id}-error`].filter(Boolean).join(' ') || undefined

type SchemaFieldProps = Omit<WidgetProps, 'onChange'> & {
  widget: Widget
  onChange: (name: string, value: unknown) => void
}

/** A field with label and notes. Memoised: it renders only when its own props change. */
export const SchemaField = memo(function SchemaField({ widget: Widget, onChange, ...rest }: SchemaFieldProps) {
  const { t } = useTranslation('miniApps')
  const { id, field, value, problem } = rest
  const { name } = field
  const change = useCallback((next: unknown) => onChange(name, next), [onChange, name])
  const isLeftOut = field.optional === true && isEmpty(field, value) && (isNumeric(field) || field.widget === 'select')
  const words = (
    <>
      {field.title}
      {field.required && (
        <span className={fieldClasses.star} title={t('form.requiredStar')} aria-hidden="true">
          {'*'}
        </span>
      )}
    </>
  )
  return (
    <div className={fieldClasses.field} data-field={name}>
      {GROUPS.has(field.widget) ? (
        <span className={fieldClasses.label} id={`${id}-label`}>
          {words}
        </span>
      ) : (
        <label className={fieldClasses.label} htmlFor={id}>
          {words}
        </label>
      )}
      <Widget {...rest} onChange={change} />
      {isLeftOut && <FieldHelp id={`${id}-left-out`}>{t('form.leftOut')}</FieldHelp>}
      {field.description && <FieldHelp id={`${id}-help`}>{field.description}</FieldHelp>}
      {problem && <FieldError id={`${id}-error`}>{problem}</FieldError>}
    </div>
  )
})
