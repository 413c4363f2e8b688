import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isActive, RUNNING_REFRESH_MS, runsQuery } from '@/features/jobs'
import { useMedia } from '@/shared/lib/use-media'
import { Button } from '@/shared/ui/button'
import { Icon } from '@/shared/ui/icon'
import { GhostRows } from '@/shared/ui/query-list'
import type { ReadForm } from '@/shared/ui/schema-form/read-form'
import { ErrorState } from '@/shared/ui/states'
import type { Begin } from '../use-begin'
import { useEarlierValues } from '../use-earlier-values'
import { EarlierRun } from './earlier-run'
import styles from './earlier-runs.module.css'

/** Where there is room for the runs beside everything else; below it they open when they are asked for. */
const ROOMY = '(min-width: 640px)'

type EarlierRunsProps = {
  app: string
  form: ReadForm
  /** The job of the page, once it has ended: it is one of the earlier runs from then on. */
  ended: string | null
  /** While a job runs the form takes nothing. */
  disabled: boolean
  onUse: (begin: Begin) => void
}

/** What the signed-in person ran of this app, each with a way to fill the form with its values again. */
export default function EarlierRuns({ app, form, ended, disabled, onUse }: EarlierRunsProps) {
  const { t } = useTranslation('appUse')
  const id = useId()
  const roomy = useMedia(ROOMY)
  const [opened, setOpened] = useState(false)
  const shown = roomy || opened
  return (
    <section className={styles.section} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} className={styles.title}>
        {roomy ? (
          t('runs.title')
        ) : (
          <button
            type="button"
            className={styles.opener}
            aria-expanded={opened}
            aria-controls={`${id}-list`}
            onClick={() => setOpened(!opened)}
          >
            {t('runs.title')}
            <Icon name={opened ? 'up' : 'down'} />
          </button>
        )}
      </h2>
      <div id={`${id}-list`} hidden={!shown}>
        {shown && <Runs app={app} form={form} ended={ended} disabled={disabled} onUse={onUse} />}
      </div>
    </section>
  )
}

function Runs({ app, form, ended, disabled, onUse }: EarlierRunsProps) {
  const { t } = useTranslation('appUse')
  const runs = useInfiniteQuery({
    ...runsQuery(app),
    staleTime: 0,
    // Only while something moves, and only near the top: a deep list is left alone.
    refetchInterval: (query) => {
      const pages = query.state.data?.pages ?? []
      const moving = pages.some((page) => page.items.some((job) => isActive(job.status)))
      return moving && pages.length <= 3 ? RUNNING_REFRESH_MS : false
    },
  })
  const values = useEarlierValues(form, onUse)
  useEndedRun(app, ended, runs.data)
  if (runs.isPending) return <GhostRows height={98} count={2} />
  if (!runs.data) return <ErrorState error={runs.error} onRetry={() => void runs.refetch()} />
  if (runs.data.length === 0) return <p className={styles.none}>{t('runs.none')}</p>
  return (
    <>
      <ul className={styles.list}>
        {runs.data.map((job) => (
          <EarlierRun
            key={job._id}
            job={job}
            form={form}
            disabled={disabled}
            busy={values.busy === job._id}
            onUse={() => values.use(job)}
          />
        ))}
      </ul>
      {runs.isFetchNextPageError && <ErrorState error={runs.error} onRetry={() => void runs.fetchNextPage()} />}
      {/* Asked for by hand alone: what people say of the app stands below. */}
      {runs.hasNextPage && !runs.isFetchNextPageError && (
        <Button
          className={styles.more as string}
          tone="outline"
          size="small"
          busy={runs.isFetchingNextPage}
          onClick={() => void runs.fetchNextPage()}
        >
          {t('runs.more')}
        </Button>
      )}
    </>
  )
}

/** Asks for the list once more when the job of the page has ended and the list does not have it as ended yet. */
function useEndedRun(app: string, ended: string | null, known: { _id: string; endedAt?: string | null }[] | undefined) {
  const client = useQueryClient()
  const asked = useRef<string | null>(null)
  useEffect(() => {
    if (!ended || !known || asked.current === ended) return
    asked.current = ended
    if (known.some((job) => job._id === ended && job.endedAt)) return
    void client.invalidateQueries({ queryKey: runsQuery(app).queryKey })
  }, [client, app, ended, known])
}
