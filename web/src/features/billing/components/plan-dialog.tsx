import type { BillingCountry, Item, Shop, Subscription } from '@/shared/api/types'
import { ErrorState } from '@/shared/ui/states'
import { ChangePlan } from './change-plan'
import { Subscribe } from './subscribe-form'

type PlanDialogProps = {
  item: Item
  plan: string
  shop: Shop
  /** The subscription that is changed, if there is one. */
  subscription: Subscription | null
  error: unknown
  onRetry: () => void
  country: BillingCountry
  onCountry: (country: BillingCountry) => void
  onClose: () => void
}

/** The content of the dialog of a plan: subscribes to it, or changes to it. */
export default function PlanDialog({ subscription, error, onRetry, ...buyer }: PlanDialogProps) {
  if (error) return <ErrorState error={error} onRetry={onRetry} />
  if (subscription) return <ChangePlan item={buyer.item} subscription={subscription} onClose={buyer.onClose} />
  return <Subscribe {...buyer} />
}
