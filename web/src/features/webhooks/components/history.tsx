import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatRelative } from '@/shared/lib/format'
import { Button } from '@/shared/ui/button'
import { Chip, type ChipTone } from '@/shared/ui/chip'
import { SearchForm } from '@/shared/ui/search-form'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { historyQuery } from '../api'
import { chosenOf } from '../model'
import type { Attempt, AttemptStatus, WebhookConfig } from '../types'
import { useEventWords } from '../use-words'
import { AttemptView } from './attempt-view'
import { DeliveryStrip } from './delivery-strip'
import styles from './history.module.css'

const STATUS_TONES: Record<AttemptStatus, ChipTone> = { Success: 'good', Failed: 'bad', Sending: 'live' }

type HistoryProps = {
  config: WebhookConfig
  busy: boolean
}

/** The deliveries of a webhook in pages, and the selected attempt beside them. */
export function History({ config, busy }: HistoryProps) {
  const { t } = useTranslation('webhooks')
  const [filter, setFilter] = useState({ page: 1, search: '' })
  const [chosen, setChosen] = useState<string | null>(null)
  const history = useQuery(historyQuery({ config: config._id, ...filter }, busy))
  const attempts = history.data?.data
  const shown = attempts && chosenOf(attempts, chosen)
  const ask = (change: Partial<typeof filter>) => {
    setFilter((before) => ({ ...before, ...change }))
    setChosen(null)
  }
  const panes = useRef<HTMLDivElement>(null)
  const choose = (attempt: string) => {
    setChosen(attempt)
    // On narrow screens the attempt is below the list, so scroll to it.
    const [list, view] = panes.current?.children ?? []
    if (list && view && view.getBoundingClientRect().top >= list.getBoundingClientRect().bottom) {
      requestAnimationFrame(() => panes.current?.lastElementChild?.scrollIntoView({ block: 'start' }))
    }
  }
  const look = (attempt: string) => {
    setFilter({ page: 1, search: '' })
    setChosen(attempt)
  }
  return (
    <div className={styles.history}>
      <DeliveryStrip config={config} busy={busy} chosen={shown?._id} onChoose={look} />
      <div className={styles.search}>
        <SearchForm label={t('history.search')} value={filter.search} onSearch={(search) => ask({ page: 1, search })} />
        <p className={styles.help}>{t('history.searchHelp')}</p>
      </div>
      {history.isPending && <Skeleton style={{ height: 280, borderRadius: 12 }} />}
      {history.isError && !attempts && <ErrorState error={history.error} onRetry={() => void history.refetch()} />}
      {attempts?.length === 0 && (
        <EmptyState
          icon="log"
          title={t('history.none')}
          text={t(filter.search ? 'history.nothingFound' : 'history.noneText')}
        />
      )}
      {attempts && shown && (
        <div ref={panes} className={styles.panes} aria-busy={history.isPlaceholderData}>
          <Attempts attempts={attempts} shown={shown._id} onChoose={choose} />
          <AttemptView key={shown._id} attempt={shown} />
        </div>
      )}
      {history.data && (filter.page > 1 || history.data.pagination.hasMore) && (
        <Pages
          page={filter.page}
          hasMore={history.data.pagination.hasMore}
          busy={history.isPlaceholderData}
          onPage={(page) => ask({ page })}
        />
      )}
    </div>
  )
}

type AttemptsProps = { attempts: Attempt[]; shown: string; onChoose: (attempt: string) => void }

function Attempts({ attempts, shown, onChoose }: AttemptsProps) {
  const { t, i18n } = useTranslation('webhooks')
  const words = useEventWords()
  return (
    <ul className={styles.attempts} aria-label={t('history.title')}>
      {attempts.map(({ _id, webhookEventEmbed, status, responseStatus, attemptNumber, attemptAt }) => (
        <li key={_id}>
          <button
            type="button"
            className={styles.attempt}
            aria-current={_id === shown || undefined}
            onClick={() => onChoose(_id)}
          >
            <span className={styles.event}>{words.name(webhookEventEmbed.name)}</span>
            <Chip tone={STATUS_TONES[status]}>
              {responseStatus === null ? t(`statuses.${status}`) : `${t(`statuses.${status}`)} ${responseStatus}`}
            </Chip>
            <span className={styles.note}>
              <time dateTime={attemptAt}>{formatRelative(attemptAt, i18n.language)}</time>
              <span>{t('history.try', { number: attemptNumber })}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

type PagesProps = { page: number; hasMore: boolean; busy: boolean; onPage: (page: number) => void }

function Pages({ page, hasMore, busy, onPage }: PagesProps) {
  const { t } = useTranslation('webhooks')
  return (
    <nav className={styles.pages} aria-label={t('history.pages')}>
      <Button
        size="small"
        tone="outline"
        icon="left"
        aria-label={t('history.newer')}
        disabled={page === 1}
        onClick={() => !busy && onPage(page - 1)}
      />
      <span role="status">{t('history.page', { page })}</span>
      <Button
        size="small"
        tone="outline"
        icon="right"
        aria-label={t('history.older')}
        disabled={!hasMore}
        onClick={() => !busy && onPage(page + 1)}
      />
    </nav>
  )
}
