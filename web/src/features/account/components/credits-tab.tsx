import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Balance } from '@/shared/api/types'
import { formatNumber, formatRelative, formatUtc } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { LoadMore } from '@/shared/ui/load-more'
import { ProgressBar } from '@/shared/ui/progress-bar'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { balanceQuery, statementQuery } from '../api'
import { type StatementLine, statementLines } from '../model'
import styles from '../pages/account-page.module.css'
import { CeilingsForm } from './ceilings-form'

export default function CreditsTab() {
  const balance = useQuery(balanceQuery())
  if (balance.isError && !balance.data)
    return <ErrorState error={balance.error} onRetry={() => void balance.refetch()} />
  if (!balance.data) return <Skeleton style={{ height: 120, borderRadius: 12 }} />
  return (
    <>
      <Balances balance={balance.data} />
      <Grants balance={balance.data} />
      <CeilingsForm balance={balance.data} />
      <Statement />
    </>
  )
}

function Balances({ balance }: { balance: Balance }) {
  const { t, i18n } = useTranslation('account')
  return (
    <dl className={styles.balances}>
      <div className={styles.balance}>
        <dt>{t('credits.available')}</dt>
        <dd>{formatNumber(balance.available, i18n.language)}</dd>
      </div>
      <div className={styles.balance}>
        <dt>{t('credits.held')}</dt>
        <dd>{formatNumber(balance.held, i18n.language)}</dd>
      </div>
    </dl>
  )
}

function Grants({ balance }: { balance: Balance }) {
  const { t, i18n } = useTranslation('account')
  const number = (value: number) => formatNumber(value, i18n.language)
  return (
    <section className={styles.section}>
      <h2>{t('credits.grants')}</h2>
      {balance.grants.length === 0 ? (
        <EmptyState icon="bolt" title={t('credits.grantsEmpty')} />
      ) : (
        <>
          <p className={styles.note}>{t('credits.order')}</p>
          <ul className={styles.list}>
            {balance.grants.map((grant) => (
              <li key={grant._id} className={styles.item}>
                <p className={styles.itemName}>{t(`credits.grantKind.${grant.kind}`)}</p>
                <p className={styles.note}>
                  {grant.expiresAt
                    ? t('credits.expiresUtc', { date: formatUtc(grant.expiresAt) })
                    : t('credits.noExpiry')}
                </p>
                <ProgressBar
                  share={grant.amount > 0 ? Math.min(1, grant.remaining / grant.amount) : 0}
                  label={t('credits.left', { remaining: number(grant.remaining), amount: number(grant.amount) })}
                />
                <p className={styles.note}>
                  {t('credits.left', { remaining: number(grant.remaining), amount: number(grant.amount) })}
                </p>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function Statement() {
  const { t, i18n } = useTranslation('account')
  const entries = useInfiniteQuery(statementQuery())
  return (
    <section className={styles.section}>
      <h2>{t('credits.statement')}</h2>
      {entries.isPending && <Skeleton style={{ height: 160, borderRadius: 12 }} />}
      {entries.isError && !entries.data && <ErrorState error={entries.error} onRetry={() => void entries.refetch()} />}
      {entries.data?.length === 0 && <EmptyState icon="jobs" title={t('credits.statementEmpty')} />}
      {entries.data && entries.data.length > 0 && (
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
              {statementLines(entries.data, i18n.language).map((line) => (
                <Line key={line.id} line={line} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <LoadMore
        hasMore={entries.hasNextPage}
        loading={entries.isFetchingNextPage}
        onMore={() => void entries.fetchNextPage()}
      />
    </section>
  )
}

function Line({ line: { entry, amount, reserved } }: { line: StatementLine }) {
  const { t, i18n } = useTranslation('account')
  const what = entry.job ? t('credits.job') : t(`credits.kind.${entry.kind}`)
  return (
    <tr>
      <td className={styles.out}>
        <time dateTime={entry.createdAt}>{formatRelative(entry.createdAt, i18n.language)}</time>
      </td>
      <td>{entry.job ? <Link to={paths.job(entry.job)}>{what}</Link> : what}</td>
      <td className={styles.number}>
        {reserved === null ? amount : t('credits.reserved', { count: formatNumber(reserved, i18n.language) })}
      </td>
      <td className={styles.number}>{formatNumber(entry.balanceAfter, i18n.language)}</td>
    </tr>
  )
}
