import type { TFunction } from 'i18next'
import { type FormEvent, useCallback, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldProblem } from '@/shared/api/errors'
import { brokenRule, type Rule, valuesToSend } from './check-values'
import type { FormField, FormValues, ReadForm, WidgetName } from './read-form'
import { SchemaField } from './schema-field'
import styles from './schema-form.module.css'
import { SeedWidget } from './seed-widget'
import type { Widget } from './widget'
import { RangeWidget, SelectWidget, TextareaWidget, TextWidget, ToggleWidget } from './widgets'

type SchemaFormProps = {
  /** The id of the form element, for submit buttons elsewhere on the page. */
  id: string
  form: ReadForm
  values: FormValues
  disabled: boolean
  /** Widgets that call the API (image, model) come from the feature that owns the calls. */
  widgets: Partial<Record<WidgetName, Widget>>
  context: object
  problems: FieldProblem[]
  onChange: (values: FormValues) => void
  onSubmit: (values: FormValues) => void
  onInvalid: () => void
}

const OWN: Partial<Record<WidgetName, Widget>> = {
  text: TextWidget,
  textarea: TextareaWidget,
  select: SelectWidget,
  range: RangeWidget,
  toggle: ToggleWidget,
  seed: SeedWidget,
}

/**
 * A form made from a mini app's schema. It is validated on submit, and after the first failure while it is filled in.
 */
export function SchemaForm(props: SchemaFormProps) {
  const { id, form, values, disabled, widgets, context, problems, onChange, onSubmit, onInvalid } = props
  const { t } = useTranslation('miniApps')
  const [tried, setTried] = useState(false)
  const all = useMemo(() => ({ ...OWN, ...widgets }), [widgets])
  const serverErrors = useMemo(() => new Map(problems.map(({ field, message }) => [field, message])), [problems])
  // A finished upload changes the values at that time, not at its start.
  const latest = useRef(values)
  latest.current = values
  const onLatestChange = useRef(onChange)
  onLatestChange.current = onChange
  const change = useCallback((name: string, value: unknown) => {
    latest.current = { ...latest.current, [name]: value }
    onLatestChange.current(latest.current)
  }, [])
  const focusFirst = () => {
    const first = document.querySelector(`#${CSS.escape(id)} [role=alert]`)?.closest('[data-field]')
    first?.scrollIntoView({ block: 'center' })
    first?.querySelector<HTMLElement>('input, textarea, select, button')?.focus({ preventScroll: true })
  }
  const submit = (event: FormEvent) => {
    // Dialogs of widgets are children of this form in React and submit their own forms.
    if (event.target !== event.currentTarget) return
    event.preventDefault()
    if (form.fields.some((field) => brokenRule(field, values[field.name]))) {
      setTried(true)
      onInvalid()
      requestAnimationFrame(focusFirst)
      return
    }
    onSubmit(valuesToSend(form.fields, values))
  }
  return (
    <form id={id} noValidate className={styles.fields} onSubmit={submit}>
      {form.fields.map((field, index) => {
        const value = values[field.name]
        const rule = tried ? brokenRule(field, value) : null
        return (
          <SchemaField
            key={field.name}
            // Field names may contain spaces, which `aria-describedby` would split.
            id={`${id}-${index}`}
            field={field}
            widget={all[field.widget] ?? TextWidget}
            value={value}
            disabled={disabled}
            problem={rule ? sentence(rule, field, t) : serverErrors.get(field.name)}
            context={context}
            onChange={change}
          />
        )
      })}
    </form>
  )
}

/** The error text of a violated rule, with the limit. */
function sentence(rule: Rule, field: FormField, t: TFunction<'miniApps'>): string {
  switch (rule) {
    case 'required':
      if (field.widget === 'image') return t('form.uploadImage')
      if (field.widget === 'video') return t('form.uploadVideo')
      if (field.widget === 'audio') return t('form.uploadAudio')
      return t(field.widget === 'textfile' ? 'form.uploadText' : 'form.required')
    case 'minimum':
      return t('form.minimum', { limit: field.minimum ?? 0 })
    case 'maximum':
      return t('form.maximum', { limit: field.maximum ?? 0 })
    case 'maxLength':
      return t('form.maxLength', { count: field.maxLength ?? 0 })
    default:
      return t(`form.${rule}`)
  }
}
