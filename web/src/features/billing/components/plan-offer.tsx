import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Item, Shop } from '@/shared/api/types'
import { chunk } from '@/shared/lib/chunk'
import { formatDate } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { Button } from '@/shared/ui/button'
import { Dialog } from '@/shared/ui/dialog'
import { lazyPart } from '@/shared/ui/lazy-part'
import { Skeleton } from '@/shared/ui/states'
import { CURRENCY_OF, formatMoney } from '../orders-model'
import { cannotSubscribe, isChangeable, isLive, itemOf } from '../subscription-model'
import type { PlanSale } from '../use-plan-sale'
import styles from './shop.module.css'

const PlanDialog = lazyPart(chunk(() => import('./plan-dialog')))

/** The price of a plan, and what the visitor can do with it. Nothing for a plan that is not sold. */
export function PlanOffer({ plan, sale }: { plan: string; sale: PlanSale }) {
  const item = sale.shop && itemOf(sale.shop, plan)
  if (!sale.shop || !item) return null
  return <Offer plan={plan} item={item} shop={sale.shop} sale={sale} />
}

type OfferProps = { plan: string; item: Item; shop: Shop; sale: PlanSale }

function Offer({ plan, item, shop, sale }: OfferProps) {
  const { t, i18n } = useTranslation('subscription')
  const { subscription } = sale
  const choice = sale.choice(plan)
  // A subscription keeps its currency.
  const currency = isLive(subscription) ? subscription.currency : CURRENCY_OF[sale.country]
  const price = item.prices[currency]
  const isSubscribed = isLive(subscription)
  const obstacle = isSubscribed ? (price ? null : 'price') : cannotSubscribe(item, shop, sale.country)
  return (
    <div className={styles.offer}>
      {price && (
        <p className={styles.price}>{t('offer.price', { price: formatMoney(price, currency, i18n.language) })}</p>
      )}
      {choice === 'planned' && subscription ? (
        <p className={styles.muted}>{t('offer.startsOn', { date: formatDate(subscription.periodUntil) })}</p>
      ) : choice === 'included' ? (
        <p className={styles.muted}>{t('offer.included')}</p>
      ) : choice === 'switch' || choice === 'subscribe' ? (
        obstacle ? (
          <p className={styles.muted}>{t(`offer.obstacle.${obstacle}`, { currency })}</p>
        ) : (
          sale.isKnown && (
            <Button tone="primary" aria-label={t(`offer.${choice}To`, { plan })} onClick={() => sale.onChoose(plan)}>
              {t(`offer.${choice}`)}
            </Button>
          )
        )
      ) : null}
    </div>
  )
}

/** Says why the plan cannot be changed today, if it cannot. */
export function PlanNote({ sale: { subscription } }: { sale: PlanSale }) {
  const { t } = useTranslation('subscription')
  if (!isLive(subscription) || isChangeable(subscription)) return null
  const reason =
    subscription.paidWith !== 'PayPal' ? 'notNow' : subscription.status === 'Pending' ? 'approve' : 'atPayPal'
  return (
    <p className={styles.note}>
      {t(`offer.${reason}`)} <Link to={paths.account('subscription')}>{t('offer.manage')}</Link>
    </p>
  )
}

/** The dialog of the plan in the address. */
export function OpenPlan({ sale }: { sale: PlanSale }) {
  const { shop, chosen, isKnown } = sale
  const item = shop && chosen ? itemOf(shop, chosen) : null
  if (!shop || !item || !isKnown) return null
  // It opens again once it is known whether there is a subscription.
  return <PlanFrame key={`${chosen} ${sale.error ? 'failed' : ''}`} plan={chosen} item={item} shop={shop} sale={sale} />
}

/** Keeps what it was opened for: the plan is the current one when it is paid. */
function PlanFrame({ plan, item, shop, sale }: OfferProps) {
  const { t } = useTranslation('subscription')
  const [{ choice, subscription }] = useState({
    choice: sale.choice(plan),
    subscription: isLive(sale.subscription) ? sale.subscription : null,
  })
  const { onClose, error, onRetry, country, onCountry } = sale
  const isOffered = choice === 'subscribe' || choice === 'switch'
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address forgets a plan that is not offered, once.
  useEffect(() => {
    if (!isOffered) onClose()
  }, [isOffered])
  return (
    <Dialog open={isOffered} onClose={onClose} title={t(subscription ? 'change.title' : 'subscribe.title', { plan })}>
      <Suspense fallback={<Skeleton style={{ height: 320, borderRadius: 12 }} />}>
        <PlanDialog
          item={item}
          plan={plan}
          shop={shop}
          subscription={subscription}
          error={error}
          onRetry={onRetry}
          country={country}
          onCountry={onCountry}
          onClose={onClose}
        />
      </Suspense>
    </Dialog>
  )
}
