import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useUser } from '@/features/auth'
import { operatorQuery } from '@/features/legal'
import type { Plan } from '@/shared/api/types'
import { classNames } from '@/shared/lib/class-names'
import { paths } from '@/shared/lib/paths'
import { Chip } from '@/shared/ui/chip'
import { Page } from '@/shared/ui/page'
import { ErrorState, Skeleton } from '@/shared/ui/states'
import { plansQuery, typicalRunQuery } from '../api'
import { CountryChoice } from '../components/country-field'
import { CreditPacks } from '../components/credit-packs'
import { OpenPlan, PlanNote, PlanOffer } from '../components/plan-offer'
import { commonMachine, machinesOf, machineTime, picturesOf } from '../model'
import { sellsPlans } from '../subscription-model'
import { type PlanSale, usePlanSale } from '../use-plan-sale'
import styles from './pricing-page.module.css'

/** Plans, packs of credits, machines and prices of API nodes. Open to guests. */
export default function PricingPage() {
  const { t } = useTranslation('pricing')
  const plans = useQuery(plansQuery())
  return (
    <Page title={t('title')} lead={t('lead')}>
      {plans.data ? (
        <Prices plans={plans.data} />
      ) : plans.isError ? (
        <ErrorState error={plans.error} onRetry={() => void plans.refetch()} />
      ) : (
        <Skeleton style={{ height: 360, borderRadius: 12 }} />
      )}
    </Page>
  )
}

function Prices({ plans }: { plans: Plan[] }) {
  const { t } = useTranslation('pricing')
  const sale = usePlanSale(plans)
  const { shop, country, onCountry } = sale
  const hasPrices = shop && shop.items.length > 0 && shop.buying.currencies.length > 0
  return (
    <>
      {hasPrices && (
        <div className={styles.country}>
          <CountryChoice country={country} onCountry={onCountry} />
        </div>
      )}
      <PlanNote sale={sale} />
      <Plans plans={plans} sale={sale} />
      {shop && <Buying isSold={sellsPlans(shop)} />}
      <CreditPacks country={country} onCountry={onCountry} />
      <Machines plans={plans} />
      <section className={styles.section}>
        <h2>{t('nodes')}</h2>
        <p className={styles.note}>{t('noNodes')}</p>
      </section>
      <OpenPlan sale={sale} />
    </>
  )
}

function Plans({ plans, sale }: { plans: Plan[]; sale: PlanSale }) {
  const { t } = useTranslation('pricing')
  const user = useUser()
  const current = user?.subscriptions[0]?.name
  const machine = commonMachine(plans)
  return (
    <ul className={styles.plans} aria-label={t('title')}>
      {plans.map((plan) => (
        <li key={plan.name} className={classNames(styles.plan, plan.name === current && styles.current)}>
          <PlanCard plan={plan} isCurrent={plan.name === current} machine={machine} sale={sale} />
        </li>
      ))}
    </ul>
  )
}

type PlanCardProps = { plan: Plan; isCurrent: boolean; machine: ReturnType<typeof commonMachine>; sale: PlanSale }

function PlanCard({ plan, isCurrent, machine, sale }: PlanCardProps) {
  const { t } = useTranslation('pricing')
  const run = useQuery(typicalRunQuery()).data
  const pictures = run ? picturesOf(plan, run.credits) : 0
  const time = machine && machineTime(plan, machine)
  return (
    <>
      <div className={styles.head}>
        <h2>{plan.name}</h2>
        {isCurrent && <Chip tone="good">{t('current')}</Chip>}
      </div>
      <p className={styles.credits}>{t('credits', { count: plan.monthlyCredits })}</p>
      <PlanOffer plan={plan.name} sale={sale} />
      <ul className={styles.facts}>
        {time && <li>{t(time.unit, { count: time.count, pool: machine.title })}</li>}
        {run && pictures > 0 && <li>{t('pictures', { count: pictures, app: run.name })}</li>}
        <li>{t('run', { count: Math.floor(plan.maxRunSeconds / 60) })}</li>
        <li>{t('queue', { count: plan.maxQueuedJobs })}</li>
        <li>{t('storage', { count: Math.round(plan.storageBytes / 2 ** 30) })}</li>
        <li>{t('share', { weight: plan.weight })}</li>
        {plan.stealthMode && <li>{t('stealth')}</li>}
      </ul>
      <p className={styles.note}>{plan.pools.map(({ title }) => title).join(', ')}</p>
    </>
  )
}

/** How to get a plan otherwise, or where this installation does not sell them. */
function Buying({ isSold }: { isSold: boolean }) {
  const { t } = useTranslation('pricing')
  const operator = useQuery(operatorQuery()).data
  return (
    <p className={styles.buying}>
      {t(isSold ? 'otherwise' : 'buy')}{' '}
      {!isSold && operator?.email && <a href={`mailto:${operator.email}`}>{t('ask', { name: operator.name })}</a>}{' '}
      <Link to={paths.account('coupon')}>{t('coupon')}</Link>
    </p>
  )
}

function Machines({ plans }: { plans: Plan[] }) {
  const { t } = useTranslation('pricing')
  return (
    <section className={styles.section}>
      <h2>{t('pools')}</h2>
      <ul className={styles.machines}>
        {machinesOf(plans).map(({ pool, plans }) => (
          <li key={pool.name}>
            <strong>{[...new Set([pool.title, pool.gpu])].join(' · ')}</strong>
            <span>{pool.creditsPerSecond === 0 ? t('free') : t('rate', { count: pool.creditsPerSecond })}</span>
            <span className={styles.note}>{plans.join(', ')}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
