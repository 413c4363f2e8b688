import Form, { type IChangeEvent } from '@rjsf/core'
import type { ErrorSchema, ErrorTransformer, RegistryWidgetsType, RJSFValidationError } from '@rjsf/utils'
import type { TFunction } from 'i18next'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldProblem } from '@/shared/api/errors'
import { type Rule, sentValues } from './check-values'
import type { FormField, FormValues, ReadForm } from './read-form'
import { SeedWidget } from './seed-widget'
import { FieldTemplate, Nothing, ObjectFieldTemplate } from './templates'
import { validator } from './validator'
import { RangeWidget, SelectWidget, TextareaWidget, TextWidget, ToggleWidget } from './widgets'

type SchemaFormProps = {
  /** The id of the form element, so that a button elsewhere on the page can submit it. */
  id: string
  form: ReadForm
  values: FormValues
  disabled: boolean
  /** Widgets that reach the network (image, model) are brought by the feature that owns those calls. */
  widgets: RegistryWidgetsType<FormValues>
  context: object
  problems: FieldProblem[]
  onChange: (values: FormValues) => void
  onSubmit: (values: FormValues) => void
  onInvalid: () => void
}

const templates = {
  FieldTemplate,
  ObjectFieldTemplate,
  ErrorListTemplate: Nothing,
  FieldErrorTemplate: Nothing,
  FieldHelpTemplate: Nothing,
  DescriptionFieldTemplate: Nothing,
}

const ownWidgets = {
  text: TextWidget,
  textarea: TextareaWidget,
  select: SelectWidget,
  range: RangeWidget,
  toggle: ToggleWidget,
  seed: SeedWidget,
}

/** A form made from the schema of a mini app. */
export function SchemaForm(props: SchemaFormProps) {
  const { id, form, values, disabled, widgets, context, problems, onChange, onSubmit, onInvalid } = props
  const { t } = useTranslation('miniApps')
  const [tried, setTried] = useState(false)
  const all = useMemo(() => ({ ...ownWidgets, ...widgets }), [widgets])
  const fromServer = useMemo(() => {
    const errors = problems.map(({ field, message }) => [field, { __errors: [message] }])
    return Object.fromEntries(errors) as ErrorSchema<FormValues>
  }, [problems])
  const speak = useCallback<ErrorTransformer<FormValues>>(
    (errors) => errors.map((error) => translate(error, form.fields, t)),
    [form, t],
  )
  const focusFirst = () => {
    setTried(true)
    onInvalid()
    requestAnimationFrame(() => {
      const first = document.querySelector(`#${CSS.escape(id)} [role=alert]`)?.closest('[data-field]')
      first?.scrollIntoView({ block: 'center' })
      first?.querySelector<HTMLElement>('input, textarea, select, button')?.focus({ preventScroll: true })
    })
  }
  return (
    <Form<FormValues>
      id={id}
      schema={form.schema}
      uiSchema={form.uiSchema}
      formData={values}
      formContext={context}
      validator={validator}
      widgets={all}
      templates={templates}
      transformErrors={speak}
      extraErrors={fromServer}
      disabled={disabled}
      liveValidate={tried}
      noHtml5Validate
      showErrorList={false}
      onChange={({ formData }: IChangeEvent<FormValues>) => onChange(formData ?? {})}
      onSubmit={({ formData }: IChangeEvent<FormValues>) => onSubmit(sentValues(form.fields, formData ?? {}))}
      onError={focusFirst}
    >
      {/* The run button stands outside of the form. */}
      <span hidden />
    </Form>
  )
}

/** The validator speaks English; people get a sentence in their language, with the limit that was broken. */
export function translate(
  error: RJSFValidationError,
  fields: FormField[],
  t: TFunction<'miniApps'>,
): RJSFValidationError {
  const field = fields.find((f) => f.name === error.property)
  return { ...error, message: sentence(error.name as Rule, field, t) }
}

function sentence(rule: Rule, field: FormField | undefined, t: TFunction<'miniApps'>): string {
  switch (rule) {
    case 'required':
      if (field?.widget === 'image') return t('form.uploadImage')
      if (field?.widget === 'video') return t('form.uploadVideo')
      return t(field?.widget === 'audio' ? 'form.uploadAudio' : 'form.required')
    case 'minimum':
      return t('form.minimum', { limit: field?.minimum ?? 0 })
    case 'maximum':
      return t('form.maximum', { limit: field?.maximum ?? 0 })
    case 'maxLength':
      return t('form.maxLength', { count: field?.maxLength ?? 0 })
    case 'number':
    case 'integer':
    case 'percent':
    case 'comma':
    case 'enum':
    case 'text':
      return t(`form.${rule}`)
    default:
      return t('form.invalid')
  }
}
