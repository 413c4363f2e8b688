import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { dayName, monthName } from './calendar-model'
import type { RevenueGrouping } from './revenue-model'

/** The name of a period by its first day: a day, a week or a month. */
export function usePeriodName(groupBy: RevenueGrouping): (start: string) => string {
  const { t, i18n } = useTranslation('revenue')
  return useCallback(
    (start) => {
      if (groupBy === 'month') return monthName(start.slice(0, 7), i18n.language)
      const day = dayName(start, i18n.language)
      return groupBy === 'week' ? t('weekOf', { day }) : day
    },
    [groupBy, t, i18n.language],
  )
}
