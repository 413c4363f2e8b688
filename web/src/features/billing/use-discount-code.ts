import { useState } from 'react'
import type { BillingCountry, Item, PurchaseQuote } from '@/shared/api/types'
import { tidyCode } from './model'
import { useQuotePurchase } from './orders-api'

type Applied = { quote: PurchaseQuote; country: BillingCountry; code: string }

/** The code of a coupon that lowers the price of a pack, and the price with it. */
export function useDiscountCode(item: Item, country: BillingCountry, typed: string) {
  const asked = useQuotePurchase()
  const [applied, setApplied] = useState<Applied | null>(null)
  const code = tidyCode(typed)
  const isApplied = applied !== null && applied.country === country && applied.code === code
  return {
    code,
    /** The price with the typed code; null until it is known. */
    quote: isApplied ? applied.quote : null,
    /** Whether a code is typed whose price is not known yet. */
    isOpen: code !== '' && !isApplied,
    isBusy: asked.isPending,
    error: asked.error,
    apply: () => {
      if (code === '') return
      asked.mutate({ itemId: item._id, country, code }, { onSuccess: (quote) => setApplied({ quote, country, code }) })
    },
    /** Forgets a refusal. */
    reset: () => asked.reset(),
  }
}
