import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from './icon'
import styles from './search-form.module.css'

type SearchFormProps = {
  label: string
  value?: string
  maxLength?: number
  autoFocus?: boolean
  /** Whether a pause in typing searches too: where the search filters the list below. */
  asTyped?: boolean
  onSearch: (words: string) => void
  /** Called on every change of the field. */
  onWrite?: (words: string) => void
}

/** A pause in typing. */
const PAUSE_MS = 300

/**
 * A search field. The result belongs in the URL. Clearing it searches for everything again. The `/` key focuses
 * `data-search`.
 */
export function SearchForm({
  label,
  value = '',
  maxLength = 100,
  autoFocus = false,
  asTyped = false,
  onSearch,
  onWrite,
}: SearchFormProps) {
  const { t } = useTranslation()
  const [words, setWords] = useState(value)
  const field = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const searched = useRef(value)
  const latest = useRef(onSearch)
  useEffect(() => {
    latest.current = onSearch
  })
  useEffect(() => {
    // The own search comes back as the value. The user may have typed more since.
    if (value === searched.current) return
    searched.current = value
    clearTimeout(timer.current)
    setWords(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (autoFocus) field.current?.focus()
  }, [autoFocus])
  const search = (next: string) => {
    clearTimeout(timer.current)
    searched.current = next
    latest.current(next)
  }
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    search(words.trim())
  }
  const write = (next: string) => {
    setWords(next)
    onWrite?.(next)
    clearTimeout(timer.current)
    if (!next) search('')
    else if (asTyped) timer.current = setTimeout(() => search(next.trim()), PAUSE_MS)
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
