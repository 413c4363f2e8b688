import { type ComponentProps, useEffect, useState } from 'react'
import { classNames } from '@/shared/lib/class-names'
import { controlClass } from '../field'
import { readNumber } from './read-number'
import styles from './schema-form.module.css'

/** A number; a string for big integers and for invalid input; null if empty. */
export type NumberValue = number | string | null

type NumberInputProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'> & {
  value: NumberValue | undefined
  integer: boolean
  /** Whether invalid input becomes the value, so that the form's check reports it. Otherwise it is dropped. */
  keepsText?: boolean
  onChange: (value: NumberValue) => void
}

const textOf = (value: NumberValue | undefined) => (value === undefined || value === null ? '' : String(value))

function typedValue(text: string, integer: boolean): NumberValue {
  if (text.trim() === '') return null
  const read = readNumber(text, integer)
  return 'value' in read ? read.value : text
}

/** A typed or pasted number. Leaving the field shows the parsed number. */
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
