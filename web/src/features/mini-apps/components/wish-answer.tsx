import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { MiniAppCard, Suggestions } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { useWordsOf } from '@/shared/lib/words-of'
import { Button } from '@/shared/ui/button'
import { Icon } from '@/shared/ui/icon'
import { Picture } from '@/shared/ui/picture'
import { ErrorState, Skeleton } from '@/shared/ui/states'
import { suggestionsQuery } from '../api'
import styles from './wish-entry.module.css'

/** The apps that fit a sentence and why; where none does, that it is so, and what would have to be there. */
export default function WishAnswer({ wish, onClose }: { wish: string; onClose: () => void }) {
  const { t } = useTranslation('miniApps')
  const found = useQuery(suggestionsQuery(wish))
  if (found.isError && !found.data) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  return (
    <section className={styles.answer} aria-label={t('wish.label')} aria-busy={!found.data}>
      {found.data ? (
        <Found wish={wish} found={found.data} onClose={onClose} />
      ) : (
        <>
          <p role="status">{t('wish.asking')}</p>
          <div className={styles.apps}>
            {['a', 'b', 'c'].map((key) => (
              <Skeleton key={key} style={{ height: 76, borderRadius: 12 }} />
            ))}
          </div>
        </>
      )}
    </section>
  )
}

function Found({ wish, found, onClose }: { wish: string; found: Suggestions; onClose: () => void }) {
  const { t } = useTranslation('miniApps')
  const { fitting, others } = found
  const drawn = fitting.some((one) => one.drawsWords)
  return (
    <>
      <div className={styles.answerHead}>
        <div role="status">
          <p className={styles.verdict}>
            {t(drawn ? 'wish.drawn' : fitting.length > 0 ? 'wish.fits' : 'wish.none', { wish })}
          </p>
          {!drawn && (
            <p className={styles.why}>{fitting.length > 0 ? t('wish.fitsText') : <Lacking found={found} />}</p>
          )}
        </div>
        <Button tone="ghost" size="small" icon="close" aria-label={t('wish.clear')} onClick={onClose} />
      </div>
      <ul className={styles.apps}>
        {fitting.map(({ app, words, drawsWords }) => (
          <Choice
            key={app._id}
            app={app}
            wish={wish}
            why={drawsWords ? t('wish.draws') : t('wish.because', { words: words.join(', ') })}
          />
        ))}
      </ul>
      {fitting.length === 0 && others.length > 0 && (
        <>
          <p className={styles.why}>{t('wish.others')}</p>
          <ul className={styles.apps}>
            {others.slice(0, 3).map((app) => (
              <Choice key={app._id} app={app} />
            ))}
          </ul>
        </>
      )}
    </>
  )
}

/** What would have to be there for the wish to be drawn. */
function Lacking({ found }: { found: Suggestions }) {
  const { t } = useTranslation('miniApps')
  const wordsOf = useWordsOf()
  const { waiting, drawingPools } = found
  const apps = waiting.map((app) => wordsOf(app).name).join(', ')
  const pools = drawingPools.join(', ')
  if (apps) return t(pools ? 'wish.noneWaitingPool' : 'wish.noneWaiting', { apps, pools })
  if (pools) return t('wish.nonePool', { pools })
  return t('wish.noneNoPool')
}

/** `wish` is filled into the app's form. */
function Choice({ app, why, wish }: { app: MiniAppCard; why?: string; wish?: string }) {
  const { name } = useWordsOf()(app)
  if (!app.workflowApi) return null
  const to = `${paths.miniApp(app.workflowApi)}${wish ? `?${new URLSearchParams({ text: wish })}` : ''}`
  return (
    <li>
      <Link className={styles.app} to={to}>
        <Picture
          className={styles.cover as string}
          src={app.cover?.thumbnailUrl}
          fallback={app.cover?.url ?? null}
          alt=""
          ratio={1}
        />
        <span>
          <span className={styles.name}>{name}</span>
          {why && <span className={styles.reason}>{why}</span>}
        </span>
        <Icon name="right" size={18} />
      </Link>
    </li>
  )
}
