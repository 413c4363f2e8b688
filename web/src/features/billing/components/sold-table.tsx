import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PersonLine } from '@/features/moderation'
import type { SoldOrder } from '@/shared/api/types'
import { formatMoment, formatNumber } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { usePersonName } from '@/shared/lib/person-name'
import { Button } from '@/shared/ui/button'
import { type Column, DataTable } from '@/shared/ui/data-table'
import { Dialog } from '@/shared/ui/dialog'
import { formatMoney } from '../orders-model'
import { useFailureText } from '../use-failure-text'
import { useOrderName, useOrderPrice, useOrderWords } from '../use-order-words'
import { OrderChip } from './order-chip'
import styles from './sold.module.css'
import { SoldDetail } from './sold-detail'

export function SoldTable({ orders }: { orders: SoldOrder[] }) {
  const { t } = useTranslation('orders')
  return <DataTable name="orders" caption={t('sold.title')} rows={orders} columns={useColumns()} hasFile />
}

function useColumns(): Column<SoldOrder>[] {
  const { t, i18n } = useTranslation('orders')
  const nameOf = usePersonName()
  const bought = useOrderWords()
  const titleOf = useOrderName()
  const priceOf = useOrderPrice()
  const money = (amount: number, { currency }: SoldOrder) => formatMoney(amount, currency, i18n.language)
  const refunded = (order: SoldOrder) =>
    order.refundedAmount > 0 ? money(order.refundedAmount, order) : t('details.none')
  return [
    {
      key: 'item',
      title: t('details.item'),
      main: true,
      cell: (order) => <Bought name={titleOf(order)} words={bought(order)} />,
      text: (order) => [titleOf(order), bought(order)].filter(Boolean).join(' · '),
    },
    {
      key: 'type',
      title: t('details.type'),
      optional: true,
      cell: ({ type }) => t(`type.${type}`),
      text: ({ type }) => type,
    },
    {
      key: 'kind',
      title: t('items.kind'),
      optional: true,
      cell: ({ kind }) => t(`items.kinds.${kind}`),
      text: ({ kind }) => kind,
    },
    {
      key: 'user',
      title: t('details.buyer'),
      cell: ({ user }) => <PersonLine person={user} to={paths.admin.people} />,
      text: ({ user }) => nameOf(user),
    },
    {
      key: 'amount',
      title: t('details.price'),
      cell: (order) => <Amount text={priceOf(order)} />,
      text: priceOf,
    },
    {
      key: 'credits',
      title: t('details.credits'),
      optional: true,
      cell: ({ credits }) => formatNumber(credits, i18n.language),
      text: ({ credits }) => String(credits),
    },
    {
      key: 'provider',
      title: t('details.provider'),
      cell: ({ provider }) => t(`provider.${provider}`),
      text: ({ provider }) => provider,
    },
    {
      key: 'status',
      title: t('details.status'),
      cell: (order) => <Status order={order} />,
      text: ({ status }) => status,
    },
    { key: 'refunded', title: t('sold.refunded'), cell: (order) => <Amount text={refunded(order)} />, text: refunded },
    {
      key: 'created',
      title: t('details.createdAt'),
      cell: ({ createdAt }) => <time dateTime={createdAt}>{formatMoment(createdAt, i18n.language)}</time>,
      text: ({ createdAt }) => createdAt,
      sort: (a, b) => a.createdAt.localeCompare(b.createdAt),
    },
    { key: 'actions', title: t('sold.actions'), cell: (order) => <Open order={order} />, text: ({ _id }) => _id },
  ]
}

/** The item, and for a plan its period. */
const Bought = ({ name, words }: { name: string; words: string | null }) => (
  <span className={styles.bought}>
    <span className={styles.name}>{name}</span>
    {words && <span className={styles.muted}>{words}</span>}
  </span>
)

/** A narrow column does not break an amount. */
const Amount = ({ text }: { text: string }) => <span className={styles.amount}>{text}</span>

function Status({ order }: { order: SoldOrder }) {
  const { t } = useTranslation('orders')
  const failure = useFailureText()(order)
  return (
    <span className={styles.status}>
      <OrderChip order={order} />
      {order.isSettling && <span>{t('own.settling')}</span>}
      {failure && <span>{failure}</span>}
    </span>
  )
}

function Open({ order }: { order: SoldOrder }) {
  const { t } = useTranslation('orders')
  const nameOf = usePersonName()
  const [isOpened, setIsOpened] = useState(false)
  const close = () => setIsOpened(false)
  const label = t('sold.openOf', { name: useOrderName()(order), user: nameOf(order.user) })
  return (
    <>
      <Button size="small" aria-label={label} onClick={() => setIsOpened(true)}>
        {t('sold.open')}
      </Button>
      <Dialog open={isOpened} onClose={close} title={t('details.title')} width={560}>
        <SoldDetail id={order._id} onClose={close} />
      </Dialog>
    </>
  )
}
