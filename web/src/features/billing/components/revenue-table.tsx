import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/lib/format'
import { type Column, DataTable } from '@/shared/ui/data-table'
import { formatMoney, moneyText } from '../orders-model'
import type { RevenueLine } from '../revenue-model'
import styles from './revenue.module.css'

type RevenueTableProps = { lines: RevenueLine[]; nameOf: (period: string) => string }

export function RevenueTable({ lines, nameOf }: RevenueTableProps) {
  const { t } = useTranslation('revenue')
  return <DataTable name="revenue" caption={t('table')} rows={lines} columns={useColumns(nameOf)} hasFile />
}

function useColumns(nameOf: (period: string) => string): Column<RevenueLine>[] {
  const { t, i18n } = useTranslation('revenue')
  const { t: orders } = useTranslation('orders')
  const money = (key: 'paid' | 'refunded' | 'net'): Column<RevenueLine> => ({
    key,
    title: t(key),
    cell: (row) => <span className={styles.amount}>{formatMoney(row[key], row.currency, i18n.language)}</span>,
    text: (row) => `${moneyText(row[key], row.currency)} ${row.currency}`,
  })
  return [
    {
      key: 'period',
      title: t('period'),
      main: true,
      cell: ({ period }) => <time dateTime={period}>{nameOf(period)}</time>,
      text: ({ period }) => period,
      sort: (a, b) => a.period.localeCompare(b.period),
    },
    {
      key: 'provider',
      title: orders('details.provider'),
      cell: ({ provider }) => orders(`provider.${provider}`),
      text: ({ provider }) => provider,
    },
    { key: 'kind', title: t('kind'), cell: ({ kind }) => t(`kinds.${kind}`), text: ({ kind }) => kind },
    {
      key: 'orders',
      title: t('orders'),
      cell: (row) => formatNumber(row.orders, i18n.language),
      text: (row) => String(row.orders),
    },
    money('paid'),
    money('refunded'),
    money('net'),
  ]
}
