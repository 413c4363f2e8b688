import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { GeneratorTask, MiniAppCard, Suggestions } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { useTranslated } from '@/shared/lib/translated'
import { Button } from '@/shared/ui/button'
import { Icon } from '@/shared/ui/icon'
import { Picture } from '@/shared/ui/picture'
import { ErrorState, Skeleton } from '@/shared/ui/states'
import type { AppFilter } from '../api'
import { canMake, makesIt, suggestionsQuery } from '../suggestions'
import styles from './suggestion-form.module.css'

type SuggestionListProps = { wish: string; makes?: AppFilter['makes']; onClose: () => void }

/** The apps that fit a sentence, with reasons; if none does, what is missing. */
export default function SuggestionList({ wish, makes, onClose }: SuggestionListProps) {
  const { t } = useTranslation('miniApps')
  const found = useQuery(suggestionsQuery(wish, makes))
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

/** Whether a generator of the task takes the sentence itself. */
const TASKS = {
  TextToImage: true,
  ImageToImage: true,
  Inpaint: true,
  Upscale: false,
  TextToVideo: true,
  ImageToVideo: true,
  FramesToVideo: true,
  VideoToVideo: true,
  TextToAudio: true,
  SoundToSound: true,
  TextTo3D: true,
  ImageTo3D: false,
  RemoveBackground: false,
  SwapFace: false,
  DescribeImage: false,
} as const satisfies Record<GeneratorTask, boolean>

function Found({ wish, found, onClose }: { wish: string; found: Suggestions; onClose: () => void }) {
  const { t } = useTranslation('miniApps')
  const { t: suggestion } = useTranslation('suggestions')
  const { fitting, others, generators } = found
  const task = found.task as GeneratorTask
  const asksToDraw = task === 'TextToImage'
  const made = canMake(found)
  return (
    <>
      <div className={styles.answerHead}>
        <div role="status">
          <p className={styles.verdict}>
            {made
              ? suggestion(`made.${task}`, { wish })
              : fitting.length > 0 && asksToDraw
                ? t('wish.fits', { wish })
                : suggestion(`none.${task}`, { wish })}
          </p>
          {!made && (
            <p className={styles.explanation}>
              {fitting.length > 0 && asksToDraw ? t('wish.fitsText') : <MissingParts found={found} />}
            </p>
          )}
        </div>
        <Button tone="ghost" size="small" icon="close" aria-label={t('wish.clear')} onClick={onClose} />
      </div>
      <ul className={styles.apps}>
        {generators.map((app) => (
          <Choice key={app._id} app={app} wish={TASKS[task] ? wish : undefined} why={suggestion(`why.${task}`)} />
        ))}
        {fitting.map((one) => (
          <Choice
            key={one.app._id}
            app={one.app}
            wish={wish}
            why={
              makesIt(task, one)
                ? suggestion(`why.${task}`)
                : one.words.length > 0
                  ? t('wish.because', { words: one.words.join(', ') })
                  : undefined
            }
          />
        ))}
      </ul>
      {!made && fitting.length === 0 && others.length > 0 && (
        <>
          <p className={styles.explanation}>{t('wish.others')}</p>
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

function MissingParts({ found }: { found: Suggestions }) {
  const { t } = useTranslation('suggestions')
  const translated = useTranslated()
  const { waiting, drawingPools, generatorsAway } = found
  const task = found.task as GeneratorTask
  const asksToDraw = task === 'TextToImage'
  const apps = [...generatorsAway, ...(asksToDraw ? waiting : [])].map((app) => translated(app).name).join(', ')
  const pools = asksToDraw ? drawingPools.join(', ') : ''
  if (apps) return t(pools ? 'waitingPool' : 'waiting', { apps, pools })
  if (pools) return t('pool', { pools })
  return t(`needs.${task}`)
}

/** `wish` fills the app's form. */
function Choice({ app, why, wish }: { app: MiniAppCard; why?: string | undefined; wish?: string }) {
  const { name } = useTranslated()(app)
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
