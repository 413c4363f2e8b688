import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useUser } from '@/features/auth'
import { bonusOf } from './promotions-model'
import { promotionsQuery } from './promotions-query'

/** The bonus credits that a pack of so many credits gives as the first purchase of the visitor; 0 without a bonus. */
export function useFirstBonus(): (credits: number) => number {
  const user = useUser()
  const current = useQuery({ ...promotionsQuery(user?._id), enabled: user !== undefined }).data
  const percent = current?.firstPurchasePercent
  return useCallback((credits) => bonusOf(credits, percent), [percent])
}
