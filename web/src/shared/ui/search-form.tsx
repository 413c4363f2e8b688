import { type SyntheticEvent, useEffect, useState } from 'react'
import { Icon } from './icon'
import styles from './search-form.module.css'

type SearchFormProps = { label: string; value: string; maxLength: number; onSearch: (words: string) => void }

/** One line to look for something; the answer stands in the address. `data-search` is where the `/` key goes. */
export function SearchForm({ label, value, maxLength, onSearch }: SearchFormProps) {
  const [words, setWords] = useState(value)
  useEffect(() => setWords(value), [value])
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    onSearch(words.trim())
  }
  return (
    <search className={styles.search}>
      <form className={styles.box} onSubmit={send}>
        <Icon name="search" size={18} />
        <input
          type="search"
          data-search
          className={styles.input}
          value={words}
          maxLength={maxLength}
          enterKeyHint="search"
          placeholder={label}
          aria-label={label}
          onChange={(event) => {
            setWords(event.target.value)
            if (!event.target.value) onSearch('')
          }}
        />
      </form>
    </search>
  )
}
