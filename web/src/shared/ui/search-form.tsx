import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from './icon'
import styles from './search-form.module.css'

type SearchFormProps = {
  label: string
  value?: string
  maxLength?: number
  autoFocus?: boolean
  onSearch: (words: string) => void
  /** Called on every change of the field. */
  onWrite?: (words: string) => void
}

/**
 * A search field. The result belongs in the URL. Clearing it searches for everything again. The `/` key focuses
 * `data-search`.
 */
export function SearchForm({
  label,
  value = '',
  maxLength = 100,
  autoFocus = false,
  onSearch,
  onWrite,
}: SearchFormProps) {
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
  const write = (next: string) => {
    setWords(next)
    onWrite?.(next)
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
          placeholder={label}
          aria-label={label}
          onChange={(event) => write(event.target.value)}
        />
        {words && (
          <button
            type="button"
            className={styles.clear}
            aria-label={t('clearSearch')}
            onClick={() => {
              write('')
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
