import type { FieldTemplateProps, ObjectFieldTemplateProps } from '@rjsf/utils'
import { useTranslation } from 'react-i18next'
import { FieldError, FieldHelp, fieldClasses } from '../field'
import { isEmpty, isNumeric } from './check-values'
import type { FormField, FormValues } from './read-form'
import styles from './schema-form.module.css'

/** Widgets that are groups of controls: their label names the group instead of pointing at one input. */
const GROUPS = new Set(['seed', 'image', 'video', 'audio', 'toggle'])

/** Ids that tie a control to its notes, for `aria-describedby`. */
export const notesOf = (id: string, hasHelp: boolean, hasError: boolean): string | undefined =>
  [hasHelp && `${id}-help`, hasError && `${id}-error`].filter(Boolean).join(' ') || undefined

export function FieldTemplate({
  id,
  label,
  required,
  rawDescription,
  rawErrors,
  children,
  uiSchema,
  schema,
  formData,
}: FieldTemplateProps<FormValues>) {
  const { t } = useTranslation('miniApps')
  if (schema.type === 'object') return children
  const field = uiSchema?.['ui:options']?.field as FormField | undefined
  const isLeftOut = field?.optional === true && isEmpty(formData) && (isNumeric(field) || field.widget === 'select')
  const words = (
    <>
      {label}
      {required && (
        <span className={fieldClasses.star} title={t('form.requiredStar')} aria-hidden="true">
          {'*'}
        </span>
      )}
    </>
  )
  return (
    <div className={fieldClasses.field} data-field={field?.name}>
      {field && GROUPS.has(field.widget) ? (
        <span className={fieldClasses.label} id={`${id}-label`}>
          {words}
        </span>
      ) : (
        <label className={fieldClasses.label} htmlFor={id}>
          {words}
        </label>
      )}
      {children}
      {isLeftOut && <FieldHelp id={`${id}-left-out`}>{t('form.leftOut')}</FieldHelp>}
      {rawDescription && <FieldHelp id={`${id}-help`}>{rawDescription}</FieldHelp>}
      {rawErrors?.[0] && <FieldError id={`${id}-error`}>{rawErrors[0]}</FieldError>}
    </div>
  )
}

export function ObjectFieldTemplate({ properties }: ObjectFieldTemplateProps<FormValues>) {
  return <div className={styles.fields}>{properties.map((property) => property.content)}</div>
}

/** Errors and descriptions are drawn by the field template. */
export const Nothing = () => null
