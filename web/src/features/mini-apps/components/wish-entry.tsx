import { Suspense, type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useSearchParams } from 'react-router'
import { chunk } from '@/shared/lib/chunk'
import { Button } from '@/shared/ui/button'
import { lazyPart } from '@/shared/ui/lazy-part'
import styles from './wish-entry.module.css'

const WishAnswer = lazyPart(chunk(() => import('./wish-answer')))

/** Sentences to begin with, in the words that apps and their choices are written in, whatever the language shown. */
const IDEAS = [
  { key: 'one', wish: 'Misty mountains at dusk' },
  { key: 'two', wish: 'Molten silk in ember' },
  { key: 'three', wish: 'A photo as an oil painting' },
] as const
const LONGEST = 500

/** A sentence, and the apps that fit it: people choose, and are told why. It stands in the address, as `wish`. */
export function WishEntry() {
  const { t } = useTranslation('miniApps')
  const { state } = useLocation()
  const [params, setParams] = useSearchParams()
  const asked = (params.get('wish') ?? '').slice(0, LONGEST)
  const [text, setText] = useState(asked)
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
          placeholder={t('wish.placeholder')}
          maxLength={LONGEST}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" tone="primary" size="large" icon="wand">
          {t('wish.go')}
        </Button>
      </form>
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
