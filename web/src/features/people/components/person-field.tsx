import { useInfiniteQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { moved, useDebounced } from '@/features/search'
import type { Person } from '@/shared/api/types'
import { classNames } from '@/shared/lib/class-names'
import { wholeId } from '@/shared/lib/whole-id'
import { TextField } from '@/shared/ui/field'
import { peopleQuery } from '../api'
import styles from './person-field.module.css'

/** Debounce of the search. */
const DEBOUNCE_MS = 250
const MOST_OPTIONS = 8
const NO_PEOPLE: Person[] = []

type PersonFieldProps = {
  label: string
  /** The id of the chosen person; empty for none. */
  value: string
  onChange: (id: string) => void
  className?: string | undefined
}

/** A field that completes a part of a name, an e-mail address or an ID to a person. Arrows choose, Enter takes. */
export function PersonField({ label, value, onChange, className }: PersonFieldProps) {
  const { t } = useTranslation('people')
  const { t: common } = useTranslation()
  const list = useId()
  // What is typed, until a person is chosen.
  const [draft, setDraft] = useState<string | null>(null)
  const [taken, setTaken] = useState<Person | null>(null)
  const [at, setAt] = useState(-1)
  const [refused, setRefused] = useState(false)
  const typed = draft?.trim() ?? ''
  const wanted = draft === null ? value : typed
  const keyword = useDebounced(wanted, DEBOUNCE_MS)
  const isKnown = draft === null && taken?._id === value
  const found = useInfiniteQuery({ ...peopleQuery(keyword), enabled: keyword !== '' && !isKnown })
  const isCurrent = keyword === wanted && found.data !== undefined
  const people = found.data ?? NO_PEOPLE
  const chosen = [taken, ...people].find((person) => person?._id === value)
  const options = typed !== '' && isCurrent ? people.slice(0, MOST_OPTIONS) : NO_PEOPLE
  const close = () => {
    setDraft(null)
    setAt(-1)
    setRefused(false)
  }
  const take = (id: string, person: Person | null = null) => {
    close()
    setTaken(person)
    if (id !== value) onChange(id)
  }
  const enter = () => {
    if (draft === null) return
    const person = options[at] ?? (options.length === 1 ? options[0] : undefined)
    const id = person?._id ?? wholeId(typed)
    if (id || typed === '') take(id ?? '', person)
    else setRefused(isCurrent)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') enter()
    if (event.key === 'Escape') close()
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    setAt((now) => moved(now, event.key === 'ArrowDown' ? 1 : -1, options.length))
  }
  return (
    <div className={classNames(styles.field, className)}>
      <TextField
        label={label}
        role="combobox"
        autoComplete="off"
        spellCheck={false}
        maxLength={254}
        placeholder={t('search')}
        aria-autocomplete="list"
        aria-expanded={options.length > 0}
        aria-controls={options.length > 0 ? list : undefined}
        aria-activedescendant={options[at] ? `${list}-${at}` : undefined}
        value={draft ?? chosen?.name ?? value}
        error={refused ? t('field.refused') : undefined}
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => {
          setDraft(target.value)
          setAt(-1)
          setRefused(false)
        }}
        onKeyDown={press}
        // Leaving the field keeps the chosen person, except where the field was emptied.
        onBlur={() => (draft === '' ? take('') : close())}
      />
      {typed !== '' && (
        <Found id={list} label={label} people={options} at={at} onTake={(person) => take(person._id, person)}>
          {isCurrent ? undefined : common(found.isError ? 'search.failed' : 'loading')}
        </Found>
      )}
    </div>
  )
}

type FoundProps = {
  id: string
  label: string
  people: Person[]
  /** The index of the active line. */
  at: number
  onTake: (person: Person) => void
  /** What is said instead of the count. */
  children: string | undefined
}

function Found({ id, label, people, at, onTake, children }: FoundProps) {
  const { t } = useTranslation('people')
  const count = people.length
  return (
    <div className={styles.found}>
      <p className={count > 0 ? 'visually-hidden' : styles.state} role="status">
        {children ?? (count > 0 ? t('field.count', { count }) : t('empty'))}
      </p>
      {count > 0 && (
        <div id={id} role="listbox" aria-label={label}>
          {people.map((person, place) => (
            <Option
              key={person._id}
              id={`${id}-${place}`}
              person={person}
              active={place === at}
              onTake={() => onTake(person)}
            />
          ))}
        </div>
      )}
    </div>
  )
}

type OptionProps = { id: string; person: Person; active: boolean; onTake: () => void }

function Option({ id, person, active, onTake }: OptionProps) {
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      className={styles.option}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onTake}
      onKeyDown={(event) => event.key === 'Enter' && onTake()}
    >
      <span>
        {person.name} <span className={styles.quiet}>{person.nameTag}</span>
      </span>
      <span className={styles.quiet}>{person.email}</span>
    </div>
  )
}
