import { type CSSProperties, type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '@/shared/lib/class-names'
import { controlClass } from '../field'
import { Select } from '../select'
import { Switch } from '../switch'
import { NumberInput } from './number-input'
import { notesOf } from './schema-field'
import styles from './schema-form.module.css'
import { stepsOfKey, valueAfterSteps } from './slider'
import type { WidgetProps } from './widget'

/** The attributes of every form control. */
export const controlProps = ({ id, disabled, problem, field }: WidgetProps) => ({
  id,
  disabled,
  'aria-invalid': problem ? true : undefined,
  'aria-describedby': notesOf(id, Boolean(field.description), Boolean(problem)),
})

export function TextWidget(props: WidgetProps) {
  const { value, onChange, field } = props
  const [hasLines, setHasLines] = useState(false)
  if (field.type === 'integer' || field.type === 'number') return <NumberWidget {...props} />
  // An input shows a text without its line breaks, but they would run.
  if (!hasLines && /[\r\n]/.test(value)) setHasLines(true)
  if (hasLines) return <TextareaWidget {...props} />
  return (
    <input
      {...controlProps(props)}
      className={controlClass}
      type="text"
      value={value ?? ''}
      placeholder={field.placeholder}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

export function TextareaWidget(props: WidgetProps) {
  return (
    <textarea
      {...controlProps(props)}
      className={classNames(controlClass, styles.area)}
      rows={4}
      value={props.value ?? ''}
      placeholder={props.field.placeholder}
      onChange={(event) => props.onChange(event.target.value)}
    />
  )
}

function NumberWidget(props: WidgetProps) {
  return (
    <NumberInput
      {...controlProps(props)}
      value={props.value}
      integer={props.field.type === 'integer'}
      keepsText
      onChange={props.onChange}
    />
  )
}

/** The default step: 1, or a hundredth of a narrow decimal range. */
const stepWithin = (integer: boolean, range: number): number =>
  integer || range >= 100 || range <= 0 ? 1 : 10 ** Math.floor(Math.log10(range / 50))

/** A slider with a number input. The default range is 0 to 100 in steps of 1. */
export function RangeWidget(props: WidgetProps) {
  const { t } = useTranslation('miniApps')
  const { value, onChange, field } = props
  const integer = field.type === 'integer'
  const min = Number(field.minimum ?? 0)
  const max = Number(field.maximum ?? Math.max(100, min))
  const step = field.step ?? stepWithin(integer, max - min)
  const isSet = typeof value === 'number'
  const at = isSet ? value : min
  const share = max > min ? Math.min(1, Math.max(0, (at - min) / (max - min))) : 0
  const control = controlProps(props)
  // A slider over millions of steps is useless; the number input alone is better.
  if ((max - min) / step > 100_000) {
    return <NumberInput {...control} value={value} integer={integer} keepsText onChange={onChange} />
  }
  const move = (event: KeyboardEvent) => {
    const steps = stepsOfKey(event, { min, max, step })
    if (steps === 0) return
    event.preventDefault()
    onChange(valueAfterSteps(at, steps, { min, max, step }))
  }
  return (
    <div className={styles.range}>
      <input
        {...control}
        className={styles.slider}
        type="range"
        min={min}
        max={max}
        step={step}
        value={at}
        aria-valuetext={isSet ? undefined : t('form.noValue')}
        style={{ '--share': `${share * 100}%` } as CSSProperties}
        onKeyDown={move}
        onChange={(event) => onChange(event.target.valueAsNumber)}
      />
      <NumberInput
        {...control}
        id={`${props.id}-value`}
        aria-label={t('form.value', { label: field.title })}
        value={value}
        integer={integer}
        keepsText
        onChange={onChange}
      />
    </div>
  )
}

export function SelectWidget(props: WidgetProps) {
  const { t } = useTranslation('miniApps')
  const { field } = props
  const options = field.options ?? []
  const at = options.indexOf(props.value)
  return (
    <Select
      {...controlProps(props)}
      value={at < 0 ? '' : String(at)}
      onChange={(event) => props.onChange(event.target.value === '' ? null : options[Number(event.target.value)])}
    >
      {(at < 0 || field.optional) && <option value="">{t(field.optional ? 'form.noValue' : 'form.choose')}</option>}
      {options.map((option, index) => (
        // The string 1 and the number 1 are different options.
        <option key={`${typeof option} ${option}`} value={index}>
          {(field.labels?.[index] ?? String(option)) || t('form.noValue')}
        </option>
      ))}
    </Select>
  )
}

export function ToggleWidget(props: WidgetProps) {
  const { t } = useTranslation('miniApps')
  const on = props.value === true
  return (
    <Switch {...controlProps(props)} checked={on} aria-labelledby={`${props.id}-label`} onChange={props.onChange}>
      {t(on ? 'form.on' : 'form.off')}
    </Switch>
  )
}
