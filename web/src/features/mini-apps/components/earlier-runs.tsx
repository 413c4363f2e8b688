import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isActive, RUNNING_REFRESH_MS, runsQuery } from '@/features/jobs'
import type { Job } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import { useMedia } from '@/shared/lib/use-media'
import { Button } from '@/shared/ui/button'
import { Icon } from '@/shared/ui/icon'
import { SkeletonRows } from '@/shared/ui/query-list'
import type { ReadForm } from '@/shared/ui/schema-form/read-form'
import { ErrorState } from '@/shared/ui/states'
import { toast } from '@/shared/ui/toast'
import { ownFileQuery } from '../api'
import { earlierValues, withFiles } from '../earlier-values'
import type { InitialValues } from '../use-initial-values'
import { EarlierRun } from './earlier-run'
import styles from './earlier-runs.module.css'

/** On wide windows the runs are open; elsewhere on demand. */
const WIDE_ENOUGH = '(min-width: 640px)'

type EarlierRunsProps = {
  app: string
  form: ReadForm
  /** The page's job once it has ended, which then is an earlier run. */
  ended: string | null
  /** The form is disabled while a job runs. */
  disabled: boolean
  onUse: (begin: InitialValues) => void
}

/** The user's runs of this app, each with a button that loads its values into the form. */
export default function EarlierRuns({ app, form, ended, disabled, onUse }: EarlierRunsProps) {
  const { t } = useTranslation('appUse')
  const id = useId()
  const roomy = useMedia(WIDE_ENOUGH)
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
    // Refetches only while jobs are active and few pages are loaded: a deep list must not jump.
    refetchInterval: (query) => {
      const pages = query.state.data?.pages ?? []
      const moving = pages.some((page) => page.items.some((job) => isActive(job.status)))
      return moving && pages.length <= 3 ? RUNNING_REFRESH_MS : false
    },
  })
  const values = useEarlierValues(form, onUse)
  useEndedRun(app, ended, runs.data)
  if (runs.isPending) return <SkeletonRows height={98} count={2} />
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
      {/* Loads by button, not by scrolling, as comments follow below. */}
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

/** Refetches the list when the page's job has ended and the list does not know yet. */
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

/** Loads the values of an earlier run into a form. `busy` is the run whose files are being loaded. */
function useEarlierValues(form: ReadForm, fill: (begin: InitialValues) => void) {
  const { t } = useTranslation('appUse')
  const client = useQueryClient()
  const text = useProblemText()
  const [busy, setBusy] = useState<string | null>(null)
  const asked = useRef(0)
  const use = async (job: Job) => {
    // A later press on another run wins.
    asked.current += 1
    const turn = asked.current
    setBusy(job._id)
    const { values, files, isComplete } = earlierValues(form, job)
    try {
      const found = await Promise.all(files.map(async (id) => [id, await client.fetchQuery(ownFileQuery(id))] as const))
      if (turn !== asked.current) return
      const { gone, ...begin } = withFiles(form, values, new Map(found))
      fill(begin)
      if (gone > 0) toast.info(t('runs.filesGone', { count: gone }), t('runs.filesGoneText'))
      else toast.info(t(isComplete ? 'runs.filled' : 'runs.filledPart'))
    } catch (error) {
      if (turn === asked.current) toast.error(t('runs.fillFailed', { message: text(error) }), error)
    } finally {
      if (turn === asked.current) setBusy(null)
    }
  }
  return { busy, use: (job: Job) => void use(job) }
}
