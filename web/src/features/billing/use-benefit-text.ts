import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { CouponBenefit } from '@/shared/api/types'
import { formatMoment } from '@/shared/lib/format'

/** What a coupon gives, in words. With `until` it says what a redemption gave. */
export function useBenefitText(): (benefit: CouponBenefit, until?: string | null) => string {
  const { t, i18n } = useTranslation('coupons')
  return useCallback(
    ({ kind, amount, plan, days, percent }, until) => {
      const end = until && formatMoment(until, i18n.language)
      if (kind === 'PercentOff') return t('benefit.percentOff', { percent })
      if (kind === 'Plan') {
        return end ? t('benefit.planUntil', { plan, until: end }) : t('benefit.planDays', { plan, count: days ?? 0 })
      }
      const credits = t('benefit.credits', { count: amount ?? 0 })
      if (end) return t('benefit.creditsUntil', { credits, until: end })
      return days ? t('benefit.creditsDays', { credits, count: days }) : credits
    },
    [t, i18n.language],
  )
}
