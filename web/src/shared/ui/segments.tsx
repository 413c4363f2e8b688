import { type KeyboardEvent, useRef } from 'react'
import styles from './segments.module.css'

type SegmentsProps<K extends string> = {
  label: string
  options: { key: K; title: string }[]
  value: K
  onChange: (key: K) => void
  disabled?: boolean
}

/** One of a few visible choices. */
export function Segments<K extends string>({ label, options, value, onChange, disabled }: SegmentsProps<K>) {
  const group = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const step = ['ArrowRight', 'ArrowDown'].includes(event.key)
      ? 1
      : ['ArrowLeft', 'ArrowUp'].includes(event.key)
        ? -1
        : 0
    if (step === 0) return
    event.preventDefault()
    const at = options.findIndex((option) => option.key === value)
    const index = (at + step + options.length) % options.length
    const next = options[index]
    if (!next) return
    onChange(next.key)
    group.current?.querySelectorAll('button')[index]?.focus()
  }
  return (
    <div className={styles.segments} role="radiogroup" aria-label={label} ref={group} onKeyDown={move}>
      {options.map((option) => (
        // biome-ignore lint/a11y/useSemanticElements: buttons allow the styling and the arrow keys of the group.
        <button
          key={option.key}
          type="button"
          role="radio"
          aria-checked={option.key === value}
          tabIndex={option.key === value ? 0 : -1}
          className={styles.segment}
          disabled={disabled}
          onClick={() => onChange(option.key)}
        >
          {option.title}
        </button>
      ))}
    </div>
  )
}
