import { type ComponentProps, useEffect, useState } from 'react'
import { classNames } from '@/shared/lib/class-names'
import { controlClass } from '../field'
import styles from './schema-form.module.css'

type NumberInputProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'> & {
  value: number | undefined
  integer: boolean
  onChange: (value: number | undefined) => void
}

const textOf = (value: number | undefined) => (value === undefined ? '' : String(value))

/** A number while it is typed: "-", "1." and "" are on the way to one and are kept as they are. */
export function NumberInput({ value, integer, onChange, className, ...rest }: NumberInputProps) {
  const [text, setText] = useState(textOf(value))
  useEffect(() => {
    setText((typed) => (parse(typed) === value ? typed : textOf(value)))
  }, [value])
  return (
    <input
      {...rest}
      type="text"
      inputMode={integer ? 'numeric' : 'decimal'}
      autoComplete="off"
      className={classNames(controlClass, styles.number, className)}
      value={text}
      onChange={(event) => {
        const typed = event.target.value.replace(integer ? /[^\d-]/g : /[^\d.eE+-]/g, '')
        setText(typed)
        onChange(parse(typed))
      }}
      onBlur={() => setText(textOf(value))}
    />
  )
}

function parse(text: string): number | undefined {
  const number = Number(text)
  return text.trim() !== '' && Number.isFinite(number) ? number : undefined
}
