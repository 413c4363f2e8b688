import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { paths } from '@/shared/lib/paths'
import { useUrlParams } from '@/shared/lib/url-params'
import { useLastKnown } from '@/shared/lib/use-last-known'
import { ButtonLink } from '@/shared/ui/button'
import { QueryRows } from '@/shared/ui/query-list'
import { EmptyState } from '@/shared/ui/states'
import { ordersQuery } from '../orders-api'
import { RETURN } from '../orders-model'
import { OrderItem } from './order-item'
import styles from './orders.module.css'
import { ReturnedOrder } from './returned-order'

/** What the user has bought. A buyer who comes back from the provider sees the result first. */
export default function OwnOrders() {
  const { t } = useTranslation('orders')
  const [{ order }] = useUrlParams(RETURN)
  // The address forgets the order when it is settled. Its result stays.
  const returned = useLastKnown(order || undefined)
  const list = useInfiniteQuery(ordersQuery())
  const shop = (tone: 'plain' | 'primary') => (
    <ButtonLink to={paths.pricing()} tone={tone}>
      {t('own.shop')}
    </ButtonLink>
  )
  return (
    <>
      {returned && <ReturnedOrder key={returned} id={returned} />}
      <section className={styles.section} aria-labelledby="own-orders">
        <div className={styles.top}>
          <h2 id="own-orders">{t('own.title')}</h2>
          {list.data && list.data.length > 0 && shop('plain')}
        </div>
        <QueryRows
          list={list}
          skeleton={{ height: 128, count: 3 }}
          empty={<EmptyState icon="bolt" title={t('own.empty')} text={t('own.emptyText')} action={shop('primary')} />}
        >
          {(order) => <OrderItem order={order} />}
        </QueryRows>
      </section>
    </>
  )
}
