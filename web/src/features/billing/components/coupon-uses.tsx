import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PersonLine } from '@/features/moderation'
import { formatMoment } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { QueryRows } from '@/shared/ui/query-list'
import { EmptyState } from '@/shared/ui/states'
import { couponUsesQuery } from '../api'
import styles from './coupons.module.css'

/** Who has redeemed a coupon, with which code and when. */
export function CouponUses({ id }: { id: string }) {
  const { t, i18n } = useTranslation('coupons')
  // Always fresh: the table may count uses that an earlier opening did not list.
  const list = useInfiniteQuery({ ...couponUsesQuery(id), staleTime: 0 })
  return (
    <QueryRows
      list={list}
      className={styles.uses as string}
      skeleton={{ height: 44, count: 4 }}
      empty={<EmptyState icon="people" title={t('uses.empty')} />}
    >
      {({ code, user, usedAt }) => (
        <div className={styles.use}>
          <PersonLine person={user} to={paths.admin.people} />
          <code>{code}</code>
          <time dateTime={usedAt}>{formatMoment(usedAt, i18n.language)}</time>
        </div>
      )}
    </QueryRows>
  )
}
