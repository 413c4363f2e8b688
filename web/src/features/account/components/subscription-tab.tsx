import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { planQuery } from '@/features/auth'
import { OwnSubscription } from '@/features/billing'
import type { SubscriptionPlan } from '@/shared/api/types'
import { formatDate, formatNumber } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { ButtonLink } from '@/shared/ui/button'
import { type Fact, FactRows } from '@/shared/ui/fact-rows'
import { ErrorState, Skeleton } from '@/shared/ui/states'
import list from '../pages/account-page.module.css'
import styles from './account-tab.module.css'

/** The subscription, and the plan with its limits. */
export default function SubscriptionTab() {
  const plan = useQuery(planQuery())
  return (
    <div className={styles.plan}>
      <Suspense fallback={<Skeleton style={{ height: 200, borderRadius: 12 }} />}>
        <OwnSubscription />
      </Suspense>
      {plan.data ? (
        <PlanFacts plan={plan.data} />
      ) : plan.isError ? (
        <ErrorState error={plan.error} onRetry={() => void plan.refetch()} />
      ) : (
        <Skeleton style={{ height: 240, borderRadius: 12 }} />
      )}
    </div>
  )
}

function PlanFacts({ plan }: { plan: SubscriptionPlan }) {
  const { t, i18n } = useTranslation('account')
  const number = (value: number) => formatNumber(value, i18n.language)
  const facts: Fact[] = [
    [t('subscription.monthly'), number(plan.monthlyCredits)],
    [t('subscription.run'), t('subscription.runValue', { minutes: number(Math.floor(plan.maxRunSeconds / 60)) })],
    [t('subscription.queue'), number(plan.maxQueuedJobs)],
    [t('subscription.storage'), t('subscription.storageValue', { gigabytes: number(plan.storageBytes / 2 ** 30) })],
    [t('subscription.share'), t('subscription.shareValue', { weight: plan.weight })],
    [t('subscription.stealth'), t(plan.stealthMode ? 'subscription.on' : 'subscription.off')],
  ]
  return (
    <div className={styles.plan}>
      <div>
        <p className={styles.muted}>{t('subscription.current')}</p>
        <p className={styles.planName}>{plan.name}</p>
        {plan.until && plan.nextPlan && (
          <p className={styles.muted}>
            {t('subscription.until', { day: formatDate(plan.until), plan: plan.nextPlan })}
          </p>
        )}
      </div>
      <dl className={styles.facts}>
        <FactRows facts={facts} />
      </dl>
      <section className={list.section}>
        <h2>{t('subscription.pools')}</h2>
        <ul className={list.list}>
          {plan.pools.map((pool) => (
            <li key={pool.name} className={list.item}>
              <div>
                <p className={list.itemName}>{pool.title}</p>
                {pool.gpu !== pool.title && <p className={list.note}>{pool.gpu}</p>}
              </div>
              <p className={list.note}>{t('subscription.rate', { count: pool.creditsPerSecond })}</p>
            </li>
          ))}
        </ul>
      </section>
      <p>
        <ButtonLink to={paths.pricing()}>{t('subscription.plans')}</ButtonLink>
      </p>
    </div>
  )
}
