import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatNumber, formatRelative } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { useUrlParams } from '@/shared/lib/url-params'
import { Button, ButtonLink } from '@/shared/ui/button'
import { LoadMore } from '@/shared/ui/load-more'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { statementFileUrl, statementQuery } from '../api'
import {
  entryLines,
  isFiltered,
  isReversed,
  STATEMENT,
  type StatementFilters,
  type StatementLine,
  statementLines,
} from '../model'
import styles from '../pages/account-page.module.css'
import { StatementFilterFields } from './statement-filter-fields'

/** All entries, or with filters in the address some of them. */
export function Statement() {
  const { t } = useTranslation('account')
  const [filters, { replace }] = useUrlParams(STATEMENT)
  return (
    <section className={styles.section}>
      <div className={styles.head}>
        <h2>{t('credits.statement')}</h2>
        {!isReversed(filters) && (
          <ButtonLink to={statementFileUrl(filters)} reloadDocument download size="small" tone="ghost" icon="download">
            {t('credits.file')}
          </ButtonLink>
        )}
      </div>
      <StatementFilterFields filters={filters} onChange={replace} />
      {!isReversed(filters) && <Entries filters={filters} onClear={() => replace({ kind: '', from: '', until: '' })} />}
    </section>
  )
}

type EntriesProps = { filters: StatementFilters; onClear: () => void }

function Entries({ filters, onClear }: EntriesProps) {
  const { t, i18n } = useTranslation('account')
  const entries = useInfiniteQuery(statementQuery(filters))
  if (entries.isPending) return <Skeleton style={{ height: 160, borderRadius: 12 }} />
  if (entries.isError && !entries.data)
    return <ErrorState error={entries.error} onRetry={() => void entries.refetch()} />
  const shown = entries.data ?? []
  if (shown.length === 0) return <NoEntries filters={filters} onClear={onClear} />
  // A filter can separate a job's hold from its end, so that no sum of them is right.
  const lines = isFiltered(filters) ? entryLines(shown, i18n.language) : statementLines(shown, i18n.language)
  return (
    <>
      <div className={styles.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('credits.when')}</th>
              <th scope="col">{t('credits.what')}</th>
              <th scope="col" className={styles.number}>
                {t('credits.amount')}
              </th>
              <th scope="col" className={styles.number}>
                {t('credits.balance')}
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <Line key={line.id} line={line} />
            ))}
          </tbody>
        </table>
      </div>
      <LoadMore
        hasMore={entries.hasNextPage}
        loading={entries.isFetchingNextPage}
        onMore={() => void entries.fetchNextPage()}
      />
    </>
  )
}

function NoEntries({ filters, onClear }: EntriesProps) {
  const { t } = useTranslation('account')
  if (!isFiltered(filters)) return <EmptyState icon="jobs" title={t('credits.statementEmpty')} />
  const inDays = filters.from || filters.until
  return (
    <EmptyState
      icon="jobs"
      title={t(inDays ? 'credits.filter.emptyDays' : 'credits.filter.emptyKind')}
      action={<Button onClick={onClear}>{t('credits.filter.clear')}</Button>}
    />
  )
}

function Line({ line: { what, entry, amount, reserved } }: { line: StatementLine }) {
  const { t, i18n } = useTranslation('account')
  const name = what === 'job' ? t('credits.job') : t(`credits.kind.${what}`)
  return (
    <tr>
      <td className={styles.out}>
        <time dateTime={entry.createdAt}>{formatRelative(entry.createdAt, i18n.language)}</time>
      </td>
      <td>{entry.job ? <Link to={paths.job(entry.job)}>{name}</Link> : name}</td>
      <td className={styles.number}>
        {reserved === null ? amount : t('credits.reserved', { count: formatNumber(reserved, i18n.language) })}
      </td>
      <td className={styles.number}>{formatNumber(entry.balanceAfter, i18n.language)}</td>
    </tr>
  )
}
