import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useRequireUser } from '@/features/auth'
import type { BillingCountry, Item, Shop } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { Button } from '@/shared/ui/button'
import { Dialog } from '@/shared/ui/dialog'
import { ErrorState, Skeleton } from '@/shared/ui/states'
import { shopQuery } from '../orders-api'
import { CURRENCY_OF, cannotBuy, formatMoney } from '../orders-model'
import { useFirstBonus } from '../use-first-bonus'
import { BuyForm } from './buy-form'
import styles from './shop.module.css'

type BuyerProps = { country: BillingCountry; onCountry: (country: BillingCountry) => void }

/** The packs of credits that this installation sells. */
export function CreditPacks(buyer: BuyerProps) {
  const { t } = useTranslation('orders')
  const shop = useQuery(shopQuery())
  return (
    <section className={styles.section} aria-labelledby="credit-packs">
      <h2 id="credit-packs">{t('shop.title')}</h2>
      {shop.data ? (
        <Offer shop={shop.data} {...buyer} />
      ) : shop.isError ? (
        <ErrorState error={shop.error} onRetry={() => void shop.refetch()} />
      ) : (
        <Skeleton style={{ height: 160, borderRadius: 12 }} />
      )}
    </section>
  )
}

function Offer({ shop, ...buyer }: { shop: Shop } & BuyerProps) {
  const { t } = useTranslation('orders')
  const packs = shop.items.filter(({ kind }) => kind === 'Credit')
  if (shop.buying.currencies.length === 0) {
    return (
      <p className={styles.note}>
        {t('shop.notSetUp')} <Link to={paths.account('coupon')}>{t('shop.coupons')}</Link>
      </p>
    )
  }
  if (packs.length === 0) return <p className={styles.note}>{t('shop.none')}</p>
  return <Packs packs={packs} shop={shop} {...buyer} />
}

function Packs({ packs, shop, country, onCountry }: { packs: Item[]; shop: Shop } & BuyerProps) {
  const { t } = useTranslation('orders')
  const requireUser = useRequireUser()
  const [chosen, setChosen] = useState<Item | null>(null)
  const close = () => setChosen(null)
  return (
    <>
      {shop.buying.isTest && <p className={styles.test}>{t('shop.test')}</p>}
      <ul className={styles.packs} aria-labelledby="credit-packs">
        {packs.map((item) => (
          <li key={item._id} className={styles.pack}>
            <Pack item={item} shop={shop} country={country} onBuy={() => requireUser(() => setChosen(item))} />
          </li>
        ))}
      </ul>
      <Dialog open={chosen !== null} onClose={close} title={t('buy.title', { name: chosen?.name })}>
        {chosen && <BuyForm item={chosen} shop={shop} country={country} onCountry={onCountry} onClose={close} />}
      </Dialog>
    </>
  )
}

type PackProps = { item: Item; shop: Shop; country: BillingCountry; onBuy: () => void }

function Pack({ item, shop, country, onBuy }: PackProps) {
  const { t, i18n } = useTranslation('orders')
  const currency = CURRENCY_OF[country]
  const price = item.prices[currency]
  const obstacle = cannotBuy(item, shop, country)
  const bonus = useFirstBonus()(item.credits)
  return (
    <>
      <h3>{item.name}</h3>
      <p>{t('credits', { count: item.credits })}</p>
      {bonus > 0 && <p className={styles.bonus}>{t('shop.bonus', { count: bonus })}</p>}
      {price && <p className={styles.price}>{formatMoney(price, currency, i18n.language)}</p>}
      {obstacle ? (
        <p className={styles.muted}>{t(`shop.obstacle.${obstacle}`, { currency })}</p>
      ) : (
        <Button
          tone="primary"
          className={styles.buy}
          aria-label={t('shop.buyItem', { name: item.name })}
          onClick={onBuy}
        >
          {t('shop.buy')}
        </Button>
      )}
    </>
  )
}
