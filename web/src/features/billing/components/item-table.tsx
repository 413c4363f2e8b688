import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AdminItem, Currency } from '@/shared/api/types'
import { formatDate, formatNumber } from '@/shared/lib/format'
import { Button } from '@/shared/ui/button'
import { type Column, DataTable } from '@/shared/ui/data-table'
import { Dialog } from '@/shared/ui/dialog'
import { formatMoney } from '../orders-model'
import { useChangeItem } from '../sold-api'
import { ActiveSwitch } from './active-switch'
import styles from './coupons.module.css'
import { EditItem } from './item-form'

export function ItemTable({ items }: { items: AdminItem[] }) {
  const { t } = useTranslation('orders')
  return <DataTable name="items" caption={t('items.title')} rows={items} columns={useColumns()} />
}

function useColumns(): Column<AdminItem>[] {
  const { t, i18n } = useTranslation('orders')
  const number = ({ credits }: AdminItem) => formatNumber(credits, i18n.language)
  const kind = ({ kind, plan }: AdminItem) => (plan ? t('items.planOf', { plan }) : t(`items.kinds.${kind}`))
  const price = (currency: Currency): Column<AdminItem> => {
    const text = ({ prices }: AdminItem) => {
      const amount = prices[currency]
      return amount ? formatMoney(amount, currency, i18n.language) : t('items.notSold')
    }
    return { key: currency, title: t(`items.${currency}`), cell: (item) => <Words text={text(item)} />, text }
  }
  return [
    {
      key: 'name',
      title: t('items.name'),
      main: true,
      cell: ({ name }) => <span className={styles.name}>{name}</span>,
      text: ({ name }) => name,
      sort: (a, b) => a.name.localeCompare(b.name, i18n.language),
    },
    {
      key: 'kind',
      title: t('items.kind'),
      cell: (item) => <Words text={kind(item)} />,
      text: kind,
      sort: (a, b) => kind(a).localeCompare(kind(b), i18n.language),
    },
    {
      key: 'credits',
      title: t('items.credits'),
      cell: (item) => <Words text={number(item)} />,
      text: ({ credits }) => String(credits),
      sort: (a, b) => a.credits - b.credits,
    },
    price('KRW'),
    price('USD'),
    {
      key: 'created',
      title: t('items.created'),
      optional: true,
      cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDate(createdAt)}</time>,
      text: ({ createdAt }) => createdAt,
      sort: (a, b) => a.createdAt.localeCompare(b.createdAt),
    },
    {
      key: 'active',
      title: t('items.state'),
      cell: (item) => <ItemSwitch item={item} />,
      text: ({ isActive }) => t(isActive ? 'items.active' : 'items.inactive'),
    },
    { key: 'actions', title: t('items.actions'), cell: (item) => <Edit item={item} />, text: ({ _id }) => _id },
  ]
}

/** A narrow column does not break numbers. */
const Words = ({ text }: { text: string }) => <span className={styles.words}>{text}</span>

function ItemSwitch({ item }: { item: AdminItem }) {
  const { t } = useTranslation('orders')
  const change = useChangeItem(item._id)
  return (
    <ActiveSwitch
      thing={item}
      change={change}
      done={(on) => t(on ? 'items.activated' : 'items.deactivated', { name: item.name })}
      failed={(message) => t('items.failed', { message })}
    />
  )
}

function Edit({ item }: { item: AdminItem }) {
  const { t } = useTranslation('orders')
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  const title = t('items.edit.title', { name: item.name })
  return (
    <>
      <Button
        size="small"
        icon="edit"
        title={t('items.edit.open')}
        aria-label={title}
        onClick={() => setIsOpen(true)}
      />
      <Dialog open={isOpen} onClose={close} title={title}>
        <EditItem item={item} onClose={close} />
      </Dialog>
    </>
  )
}
