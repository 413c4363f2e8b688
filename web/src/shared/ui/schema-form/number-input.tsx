import { type ComponentProps, useEffect, useState } from 'react'
import { classNames } from '@/shared/lib/class-names'
import { controlClass } from '../field'
import { readNumber } from './read-number'
import styles from './schema-form.module.css'

/** A number; a text of digits where no number holds it, or of what was typed and is no number; null where it is empty. */
export type NumberValue = number | string | null

type NumberInputProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'> & {
  value: NumberValue | undefined
  integer: boolean
  /** Whether a text that is no number becomes the value, to be refused where the form is checked. Else it is forgotten. */
  keepsText?: boolean
  onChange: (value: NumberValue) => void
}

const textOf = (value: NumberValue | undefined) => (value === undefined || value === null ? '' : String(value))

/** What a text stands for. */
function typedValue(text: string, integer: boolean): NumberValue {
  if (text.trim() === '') return null
  const read = readNumber(text, integer)
  return 'value' in read ? read.value : text
}

/** A number as it is typed or pasted. What it was read as is shown as soon as the field is left. */
export function NumberInput({ value, integer, keepsText = false, onChange, className, ...rest }: NumberInputProps) {
  const [text, setText] = useState(textOf(value))
  useEffect(() => {
    setText((typed) => (typedValue(typed, integer) === (value ?? null) ? typed : textOf(value)))
  }, [value, integer])
  return (
    <input
      {...rest}
      type="text"
      inputMode={integer ? 'numeric' : 'decimal'}
      autoComplete="off"
      className={classNames(controlClass, styles.number, className)}
      value={text}
      onChange={(event) => {
        const typed = event.target.value
        setText(typed)
        const next = typedValue(typed, integer)
        if (keepsText || next === null || 'value' in readNumber(typed, integer)) onChange(next)
      }}
      onBlur={() => setText(textOf(value))}
    />
  )
}
