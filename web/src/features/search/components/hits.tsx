import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { paths } from '@/shared/lib/paths'
import { usePersonName } from '@/shared/lib/person-name'
import { useTranslated } from '@/shared/lib/translated'
import { Button } from '@/shared/ui/button'
import { Icon } from '@/shared/ui/icon'
import { Picture } from '@/shared/ui/picture'
import { searchQuery } from '../api'
import { type Hit, type HitKind, hitsOf } from '../model'
import styles from './header-search.module.css'

type HitsProps = {
  id: string
  text: string
  /** The index of the active line. */
  at: number
  onHits: (hits: Hit[]) => void
  onGo: (to: string) => void
}

const KINDS: HitKind[] = ['workflows', 'pictures', 'people']
const NONE: Hit[] = []

export default function Hits({ id, text, at, onHits, onGo }: HitsProps) {
  const { t } = useTranslation()
  const nameOf = usePersonName()
  const translated = useTranslated()
  const found = useQuery(searchQuery(text))
  const hits = useMemo(
    () =>
      found.data && text ? hitsOf(found.data, nameOf, (name) => t('search.pictureBy', { name }), translated) : NONE,
    [found.data, text, nameOf, translated, t],
  )
  // Before the lines can be seen, so that an arrow key chooses among them.
  useLayoutEffect(() => onHits(hits), [hits, onHits])
  if (found.isError && !found.data) {
    return (
      <div className={styles.state}>
        <p>{t('search.failed')}</p>
        <Button size="small" tone="outline" onClick={() => void found.refetch()}>
          {t('retry')}
        </Button>
      </div>
    )
  }
  if (!found.data || !text) return <p className={styles.state}>{t('loading')}</p>
  return (
    <>
      <p className="visually-hidden" role="status">
        {t('search.count', { count: hits.length })}
      </p>
      {hits.length === 0 && <p className={styles.state}>{t('search.none', { words: text })}</p>}
      <div id={id} role="listbox" aria-label={t('search.results')}>
        {KINDS.map((kind) => {
          const group = hits.filter((hit) => hit.kind === kind)
          if (group.length === 0) return null
          return (
            // biome-ignore lint/a11y/useSemanticElements: a group of options, which a fieldset cannot be.
            <div key={kind} role="group" aria-label={t(`search.kinds.${kind}`)}>
              <p className={styles.kind} aria-hidden="true">
                {t(`search.kinds.${kind}`)}
              </p>
              {group.map((hit) => {
                const place = hits.indexOf(hit)
                return (
                  <div
                    key={hit.id}
                    id={`${id}-${place}`}
                    role="option"
                    tabIndex={-1}
                    aria-selected={place === at}
                    className={styles.hit}
                    onMouseDown={(event) => event.preventDefault()}
                    onClick={() => onGo(hit.to)}
                    onKeyDown={(event) => event.key === 'Enter' && onGo(hit.to)}
                  >
                    <Picture className={styles.face as string} src={hit.picture} alt="" ratio={1} />
                    <span>{hit.title}</span>
                  </div>
                )
              })}
            </div>
          )
        })}
      </div>
      <button type="button" className={styles.all} onClick={() => onGo(paths.search({ q: text }))}>
        <Icon name="search" size={16} />
        {t('search.all', { words: text })}
      </button>
    </>
  )
}
