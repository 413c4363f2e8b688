import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from './icon'
import styles from './search-form.module.css'

type SearchFormProps = {
  label: string
  /** What stands in the field while it is empty; the label where it is left out. */
  placeholder?: string
  value: string
  maxLength: number
  autoFocus?: boolean
  /** Told the words, and nothing where the field was emptied. */
  onSearch: (words: string) => void
}

/** One line to look for something; the answer stands in the address. `data-search` is where the `/` key goes. */
export function SearchForm({ label, placeholder, value, maxLength, autoFocus = false, onSearch }: SearchFormProps) {
  const { t } = useTranslation()
  const [words, setWords] = useState(value)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => setWords(value), [value])
  useEffect(() => {
    if (autoFocus) field.current?.focus()
  }, [autoFocus])
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    onSearch(words.trim())
  }
  const change = (next: string) => {
    setWords(next)
    if (!next) onSearch('')
  }
  return (
    <search className={styles.search}>
      <form className={styles.box} onSubmit={send}>
        <Icon name="search" size={18} />
        <input
          ref={field}
          type="search"
          data-search
          className={styles.input}
          value={words}
          maxLength={maxLength}
          enterKeyHint="search"
          placeholder={placeholder ?? label}
          aria-label={label}
          onChange={(event) => change(event.target.value)}
        />
        {words && (
          <button
            type="button"
            className={styles.clear}
            aria-label={t('clearSearch')}
            onClick={() => {
              change('')
              field.current?.focus()
            }}
          >
            <Icon name="close" size={16} />
          </button>
        )}
      </form>
    </search>
  )
}
