import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '@/shared/ui/icon'
import styles from './search-box.module.css'

type SearchBoxProps = { initial?: string; autoFocus?: boolean; onSearch: (words: string) => void }

/** A field for words; Enter searches. `data-search` is where the `/` key goes. */
export function SearchBox({ initial = '', autoFocus = false, onSearch }: SearchBoxProps) {
  const { t } = useTranslation('workflows')
  const [words, setWords] = useState(initial)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => setWords(initial), [initial])
  useEffect(() => {
    if (autoFocus) field.current?.focus()
  }, [autoFocus])
  const send = (event: FormEvent) => {
    event.preventDefault()
    const asked = words.trim()
    if (asked) onSearch(asked)
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
          maxLength={100}
          enterKeyHint="search"
          placeholder={t('search.placeholder')}
          aria-label={t('search.label')}
          onChange={(event) => setWords(event.target.value)}
        />
        {words && (
          <button
            type="button"
            className={styles.clear}
            aria-label={t('search.clear')}
            onClick={() => {
              setWords('')
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
