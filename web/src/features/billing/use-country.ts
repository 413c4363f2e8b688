import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BillingCountry } from '@/shared/api/types'
import { local } from '@/shared/lib/storage'

export const COUNTRIES = ['KR', 'Other'] as const satisfies BillingCountry[]

const KEY = 'vg.country'
const storedCountry = () => COUNTRIES.find((country) => country === local.get(KEY)) ?? null

/** The country in which this browser buys: the chosen one, or the one of the language. */
export function useCountry(): [BillingCountry, (country: BillingCountry) => void] {
  const { i18n } = useTranslation()
  const [chosen, setChosen] = useState(storedCountry)
  const choose = (country: BillingCountry) => {
    local.set(KEY, country)
    setChosen(country)
  }
  return [chosen ?? (i18n.language === 'ko' ? 'KR' : 'Other'), choose]
}
