import { useState } from 'react'
import type { BillingCountry, PaymentMethodWindow } from '@/shared/api/types'
import { enterCardWindow } from './card-window'
import { rememberGoingOn } from './going-on'
import { useOpenCardWindow } from './methods-api'
import { usePageRestored } from './use-page-restored'

type GoingOn = Parameters<typeof rememberGoingOn>[0]

/** Saves a card in the window of a provider, from which a person goes on at a page, or in our form: then `form` is set. */
export function useAddCard(next: GoingOn) {
  const open = useOpenCardWindow()
  const [form, setForm] = useState<PaymentMethodWindow | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  usePageRestored(open.reset)
  const add = (country: BillingCountry) => {
    rememberGoingOn(next)
    open.mutate(country, {
      onSuccess: (opened) => {
        if (opened.hasCardForm) setForm(opened)
      },
    })
  }
  /** Leaves our form for the window of the provider. */
  const enter = () => {
    if (form) enterCardWindow(form).catch(setFailure)
  }
  const close = () => {
    setFailure(null)
    setForm(null)
    open.reset()
  }
  // After a success the browser is leaving.
  return { add, enter, close, form, error: failure ?? open.error, isBusy: open.isPending || open.isSuccess }
}
