import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Suspense, type SyntheticEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useSearchParams } from 'react-router'
import { withTexts } from '@/shared/i18n'
import { chunk } from '@/shared/lib/chunk'
import { paths } from '@/shared/lib/paths'
import { local } from '@/shared/lib/storage'
import { useTranslated } from '@/shared/lib/translated'
import { Button } from '@/shared/ui/button'
import { lazyPart } from '@/shared/ui/lazy-part'
import { SilentRetry } from '@/shared/ui/load-error'
import { type AppFilter, miniAppsQuery } from '../api'
import { canMake, suggestionsQuery } from '../suggestions'
import styles from './suggestion-form.module.css'

const SuggestionList = lazyPart(withTexts(chunk(() => import('./suggestion-list'))))
const SuggestionNote = lazyPart(withTexts(chunk(() => import('./suggestion-note'))), SilentRetry)

/** Example sentences, in words of the apps and their choices, in whatever language. */
const IDEAS = [
  { key: 'one', wish: 'Misty mountains at dusk' },
  { key: 'two', wish: 'Molten silk in ember' },
  { key: 'three', wish: 'A lighthouse in a storm' },
] as const
/** Without a text-to-image app the examples are the most viewed apps. */
const SHOWN_APPS = 3
const ALL: AppFilter = {}
const LONGEST = 500

/** A field for a sentence, and the apps that fit it. The sentence is kept in the address, as `wish`. */
export function SuggestionForm({ among = ALL }: { among?: AppFilter }) {
  const { t } = useTranslation('miniApps')
  const { state } = useLocation()
  const [params, setParams] = useSearchParams()
  const wish = (params.get('wish') ?? '').slice(0, LONGEST)
  const [text, setText] = useState(wish)
  const [empty, setEmpty] = useState(false)
  const draws = useHasTextToImage(among.makes)
  const hint = useId()
  const field = useRef<HTMLInputElement>(null)
  const takesFocus = (state as { search?: boolean } | null)?.search === true
  useEffect(() => {
    if (takesFocus) field.current?.focus()
  }, [takesFocus])
  const search = (sentence: string) => {
    const rest = new URLSearchParams(params)
    if (sentence) rest.set('wish', sentence)
    else rest.delete('wish')
    setParams(rest, { replace: wish !== '', preventScrollReset: true })
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setEmpty(!text.trim())
    if (text.trim()) search(text.trim())
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
      {wish ? (
        <Suspense fallback={<p role="status">{t('wish.asking')}</p>}>
          <SuggestionList
            key={wish}
            wish={wish}
            makes={among.makes}
            onClose={() => {
              search('')
              field.current?.focus()
            }}
          />
        </Suspense>
      ) : !draws ? (
        <>
          <AppIdeas among={among} />
          <div className={styles.more}>
            <Suspense fallback={null}>
              <SuggestionNote makes={among.makes} />
            </Suspense>
          </div>
        </>
      ) : (
        <ul className={styles.ideas} aria-label={t('wish.ideas')}>
          {IDEAS.map(({ key, wish }) => (
            <li key={key}>
              <button
                type="button"
                onClick={() => {
                  setText(wish)
                  search(wish)
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

function AppIdeas({ among }: { among: AppFilter }) {
  const { t } = useTranslation('miniApps')
  const translated = useTranslated()
  const apps = useInfiniteQuery(miniAppsQuery('view', among)).data ?? []
  // An idea that no worker can run is none.
  const working = apps.filter(({ workflowApiWorks }) => workflowApiWorks !== false)
  return (
    <ul className={styles.ideas} aria-label={t('wish.ideas')}>
      {working.slice(0, SHOWN_APPS).map((app) => (
        <li key={app._id}>
          {app.workflowApi && <Link to={paths.miniApp(app.workflowApi)}>{translated(app).name}</Link>}
        </li>
      ))}
    </ul>
  )
}

/** No app is specific to this sentence: only general text-to-image apps match. */
const PROBE = 'a lighthouse in a storm'
const KEPT = 'vg.drawsWords'

/**
 * Whether a connected worker can run an app that makes a picture from words, or a video. Until the answer arrives, the
 * last known value.
 */
export function useHasTextToImage(makes?: AppFilter['makes']): boolean {
  const found = useQuery(suggestionsQuery(PROBE, makes)).data
  const draws = found && canMake(found)
  const kept = makes === 'video' ? `${KEPT}.video` : KEPT
  useEffect(() => {
    if (draws === true) local.set(kept, 'yes')
    if (draws === false) local.remove(kept)
  }, [draws, kept])
  return draws ?? local.get(kept) !== null
}
