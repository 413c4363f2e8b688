import { useTranslation } from 'react-i18next'
import { paths } from '@/shared/lib/paths'
import { ButtonLink } from '@/shared/ui/button'
import { EmptyState } from '@/shared/ui/states'

export default function CouponTab() {
  const { t } = useTranslation('account')
  return (
    <EmptyState
      icon="bolt"
      title={t('coupon.emptyTitle')}
      text={t('coupon.emptyText')}
      action={<ButtonLink to={paths.account('credits')}>{t('coupon.toCredits')}</ButtonLink>}
    />
  )
}
