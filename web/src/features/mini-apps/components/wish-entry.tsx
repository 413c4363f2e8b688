import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense, type SyntheticEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useSearchParams } from 'react-router'
import { chunk } from '@/shared/lib/chunk'
import { paths } from '@/shared/lib/paths'
import { useWordsOf } from '@/shared/lib/words-of'
import { Button } from '@/shared/ui/button'
import { lazyPart } from '@/shared/ui/lazy-part'
import { type AppFilter, miniAppsQuery } from '../api'
import { useDrawsWords } from '../use-draws-words'
import styles from './wish-entry.module.css'

const WishAnswer = lazyPart(chunk(() => import('./wish-answer')))

/** Sentences to begin with where they are drawn, in the words of apps and their choices, whatever the language shown. */
const IDEAS = [
  { key: 'one', wish: 'Misty mountains at dusk' },
  { key: 'two', wish: 'Molten silk in ember' },
  { key: 'three', wish: 'A lighthouse in a storm' },
] as const
/** Where nothing draws from words, the ideas are the most viewed apps. */
const SHOWN_APPS = 3
const ALL: AppFilter = {}
const LONGEST = 500

/** A sentence, and the apps that fit it: people choose, and are told why. It stands in the address, as `wish`. */
export function WishEntry({ among = ALL }: { among?: AppFilter }) {
  const { t } = useTranslation('miniApps')
  const { state } = useLocation()
  const [params, setParams] = useSearchParams()
  const asked = (params.get('wish') ?? '').slice(0, LONGEST)
  const [text, setText] = useState(asked)
  const [empty, setEmpty] = useState(false)
  const draws = useDrawsWords()
  const hint = useId()
  const field = useRef<HTMLInputElement>(null)
  const wanted = (state as { search?: boolean } | null)?.search === true
  useEffect(() => {
    if (wanted) field.current?.focus()
  }, [wanted])
  const ask = (wish: string) => {
    const rest = new URLSearchParams(params)
    if (wish) rest.set('wish', wish)
    else rest.delete('wish')
    setParams(rest, { replace: asked !== '', preventScrollReset: true })
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setEmpty(!text.trim())
    if (text.trim()) ask(text.trim())
    else field.current?.focus()
  }
  return (
    <div className={styles.entry}>
      <form className={styles.form} onSubmit={submit}>
        <input
          ref={field}
          className={styles.field}
          data-search
          aria-label={t('wish.label')}
          placeholder={t(draws ? 'wish.placeholder' : 'wish.findPlaceholder')}
          aria-describedby={empty ? hint : undefined}
          maxLength={LONGEST}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setEmpty(false)
          }}
        />
        <Button type="submit" tone="primary" size="large" icon="wand">
          {t(draws ? 'wish.go' : 'wish.find')}
        </Button>
      </form>
      {empty && (
        <p id={hint} className={styles.hint} role="alert">
          {t('wish.empty')}
        </p>
      )}
      {asked ? (
        <Suspense fallback={<p role="status">{t('wish.asking')}</p>}>
          <WishAnswer
            key={asked}
            wish={asked}
            onClose={() => {
              ask('')
              field.current?.focus()
            }}
          />
        </Suspense>
      ) : !draws ? (
        <AppIdeas among={among} />
      ) : (
        <ul className={styles.ideas} aria-label={t('wish.ideas')}>
          {IDEAS.map(({ key, wish }) => (
            <li key={key}>
              <button
                type="button"
                onClick={() => {
                  setText(wish)
                  ask(wish)
                }}
              >
                {t(`wish.idea.${key}`)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Apps that are there, so that each idea leads to what it names. */
function AppIdeas({ among }: { among: AppFilter }) {
  const { t } = useTranslation('miniApps')
  const wordsOf = useWordsOf()
  const apps = useInfiniteQuery(miniAppsQuery('view', among)).data ?? []
  return (
    <ul className={styles.ideas} aria-label={t('wish.ideas')}>
      {apps.slice(0, SHOWN_APPS).map((app) => (
        <li key={app._id}>{app.workflowApi && <Link to={paths.miniApp(app.workflowApi)}>{wordsOf(app).name}</Link>}</li>
      ))}
    </ul>
  )
}
