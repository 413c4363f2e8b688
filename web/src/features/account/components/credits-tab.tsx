import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Balance } from '@/shared/api/types'
import { formatNumber, formatUtc } from '@/shared/lib/format'
import { ProgressBar } from '@/shared/ui/progress-bar'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { balanceQuery } from '../api'
import styles from '../pages/account-page.module.css'
import { CeilingsForm } from './ceilings-form'
import { Statement } from './statement'

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
