import { type KeyboardEvent, Suspense, type SyntheticEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { chunk } from '@/shared/lib/chunk'
import { paths } from '@/shared/lib/paths'
import { Icon } from '@/shared/ui/icon'
import { lazyPart } from '@/shared/ui/lazy-part'
import type { Hit } from '../model'
import { moved } from '../model'
import { useDebounced } from '../use-debounced'
import styles from './header-search.module.css'

const Hits = lazyPart(chunk(() => import('./hits')))
const DEBOUNCE_MS = 180
const LONGEST = 100

/** The search field of the header, with results while typing. Arrows choose, Enter opens. */
export function HeaderSearch() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const list = useId()
  const box = useRef<HTMLFormElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [words, setWords] = useState('')
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(-1)
  const [hits, setHits] = useState<Hit[]>([])
  const query = useDebounced(words.trim(), DEBOUNCE_MS)
  const shown = open && words.trim() !== ''
  const close = () => {
    setOpen(false)
    setAt(-1)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page resets the search.
  useEffect(() => {
    setWords('')
    setOpen(false)
    setAt(-1)
  }, [pathname])
  useEffect(() => {
    if (!shown) return
    const press = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', press)
    return () => document.removeEventListener('pointerdown', press)
  }, [shown])
  const go = (to: string) => {
    close()
    field.current?.blur()
    void navigate(to)
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const hit = hits[at]
    if (shown && hit) go(hit.to)
    else if (words.trim()) go(paths.search({ q: words.trim() }))
  }
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      if (shown) close()
      else setWords('')
      if (!words) field.current?.blur()
      event.preventDefault()
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    setOpen(true)
    setAt((now) => moved(now, event.key === 'ArrowDown' ? 1 : -1, hits.length))
  }
  return (
    <search className={styles.search}>
      <form
        ref={box}
        className={styles.box}
        onSubmit={submit}
        onBlur={(event) => {
          if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) close()
        }}
      >
        <Icon name="search" size={18} />
        <input
          ref={field}
          data-search
          className={styles.input}
          type="text"
          role="combobox"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={LONGEST}
          placeholder={t('search.label')}
          aria-label={t('search.label')}
          aria-expanded={shown}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={shown && hits[at] ? `${list}-${at}` : undefined}
          value={words}
          onFocus={() => setOpen(true)}
          onKeyDown={keys}
          onChange={(event) => {
            setWords(event.target.value)
            setAt(-1)
            setOpen(true)
          }}
        />
        <span className={styles.key} aria-hidden="true" />
        {shown && (
          <div className={styles.hits}>
            <Suspense fallback={<p className={styles.state}>{t('loading')}</p>}>
              <Hits id={list} text={query} at={at} onHits={setHits} onGo={go} />
            </Suspense>
          </div>
        )}
      </form>
    </search>
  )
}
