import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useArchive } from '@/features/gallery'
import type { SimpleAppAddress } from '@/shared/api/types'
import { save } from '@/shared/lib/download'
import { formatBytes, timestampName } from '@/shared/lib/format'
import { Button } from '@/shared/ui/button'
import { CopyButton } from '@/shared/ui/copy-button'
import { failedRuns, phaseOf, picturesOf, resultsOf, retriableRuns, type SimpleRun } from '../simple-app-runs'
import type { useSimpleAppRuns } from '../use-simple-app-runs'
import styles from './simple-app-list.module.css'
import { SimpleAppRun } from './simple-app-run'

/** A browser opens six connections to a host: the first jobs have live events, the others are polled. */
const STREAMS = 2

type SimpleAppListProps = {
  address: SimpleAppAddress
  runs: ReturnType<typeof useSimpleAppRuns>
  /** Called when the last run is removed, and with it this list. */
  onEmpty: () => void
}

/** All runs of the page with their results. */
export function SimpleAppList({ address, runs, onEmpty }: SimpleAppListProps) {
  const { t } = useTranslation('simpleApps')
  const { state } = runs
  const heading = useRef<HTMLHeadingElement>(null)
  if (state.runs.length === 0) return null
  const failed = failedRuns(state).length
  const retriable = retriableRuns(state)
  // The pressed button goes away: keyboards go on from the heading. The page stays where it is.
  const keepFocus = () => heading.current?.focus({ preventScroll: true })
  const remove = (keys: string[]) => {
    runs.remove(keys)
    if (keys.length < state.runs.length) keepFocus()
    else onEmpty()
  }
  const retry = (...again: SimpleRun[]) => {
    again.forEach(runs.retry)
    keepFocus()
  }
  const started = state.runs.filter(({ values, job }) => values !== null || job !== null)
  const ended = state.runs.filter((run) => run.ended)
  const watched = state.runs.filter((run) => run.job && !run.ended).slice(0, STREAMS)
  return (
    <section className={styles.section} aria-label={t('list')}>
      <div className={styles.head}>
        <h2 ref={heading} tabIndex={-1}>
          {t('list')}
        </h2>
        <p className={styles.count} aria-live="polite">
          {[
            started.length > 0 && t('progress', { done: ended.length, total: started.length }),
            failed > 0 && t('failures', { count: failed }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <div className={styles.tools}>
          <DownloadAll address={address} runs={runs} />
          {retriable.length > 1 && (
            <Button size="small" tone="outline" icon="reset" onClick={() => retry(...retriable)}>
              {t('retryFailed', { count: retriable.length })}
            </Button>
          )}
          {ended.length > 0 && (
            <Button size="small" tone="ghost" icon="close" onClick={() => remove(ended.map(({ key }) => key))}>
              {t('clear')}
            </Button>
          )}
        </div>
      </div>
      <ul className={styles.grid}>
        {state.runs.map((run) => (
          <SimpleAppRun
            key={run.key}
            address={address}
            state={state}
            run={run}
            previewOf={runs.previewOf}
            transport={watched.includes(run) ? 'events' : 'polling'}
            onRetry={retry}
            onRemove={remove}
            onEnd={runs.end}
          />
        ))}
      </ul>
    </section>
  )
}

/** Downloads all pictures as a ZIP, or all texts as one file. */
function DownloadAll({ address, runs: { state } }: Pick<SimpleAppListProps, 'address' | 'runs'>) {
  const { t } = useTranslation('simpleApps')
  const { t: gallery } = useTranslation('gallery')
  const done = state.runs.filter((run) => phaseOf(state, run) === 'complete')
  const ids = done.flatMap((run) => resultsOf(run).files.flatMap(({ outputAsset }) => outputAsset ?? []))
  const archive = useArchive(ids)
  const texts = done.flatMap((run) => {
    const name = picturesOf(state, run)[0]?.name ?? ''
    return resultsOf(run).texts.map((text) => `${name}\n${text}`)
  })
  const all = texts.join('\n\n')
  return (
    <>
      {archive.bytes !== null ? (
        <Button size="small" icon="close" onClick={archive.cancel}>
          {gallery('selection.loading', { size: formatBytes(archive.bytes) })}
        </Button>
      ) : (
        ids.length > 1 && (
          <Button size="small" tone="outline" icon="download" onClick={archive.start}>
            {t('downloadAll')}
          </Button>
        )
      )}
      {texts.length > 1 && (
        <>
          <CopyButton text={all} label={t('copyAll')} />
          <Button
            size="small"
            tone="outline"
            icon="download"
            onClick={() => save(new Blob([all], { type: 'text/plain' }), `${timestampName()}-${address}.txt`)}
          >
            {t('downloadTexts')}
          </Button>
        </>
      )}
    </>
  )
}
