import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import type { MiniAppCard } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { Button } from '@/shared/ui/button'
import { bestApp } from '../wish'
import styles from './wish-entry.module.css'

/** Sentences to begin with, in the words that apps and their choices are written in, whatever the language shown. */
const IDEAS = [
  { key: 'one', wish: 'Misty mountains at dusk' },
  { key: 'two', wish: 'Molten silk in ember' },
  { key: 'three', wish: 'A photo as an oil painting' },
] as const
const LONGEST = 500

/** A sentence that leads into the app that fits it best, with the sentence filled in. */
export function WishEntry({ apps }: { apps: MiniAppCard[] | undefined }) {
  const { t } = useTranslation('miniApps')
  const navigate = useNavigate()
  const { state } = useLocation()
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const wanted = (state as { search?: boolean } | null)?.search === true
  useEffect(() => {
    if (wanted) field.current?.focus()
  }, [wanted])
  const go = (wish: string) => {
    const app = bestApp(
      wish,
      (apps ?? []).filter((one) => one.workflowApi),
    )
    if (!app?.workflowApi) return void navigate(paths.apps())
    const words = wish.trim()
    void navigate(`${paths.miniApp(app.workflowApi)}${words ? `?${new URLSearchParams({ text: words })}` : ''}`)
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    go(text)
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
        <Button type="submit" tone="primary" size="large" icon="wand" disabled={apps === undefined}>
          {t('wish.go')}
        </Button>
      </form>
      <ul className={styles.ideas} aria-label={t('wish.ideas')}>
        {IDEAS.map(({ key, wish }) => (
          <li key={key}>
            <button type="button" disabled={apps === undefined} onClick={() => go(wish)}>
              {t(`wish.idea.${key}`)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
