import { chunk } from '@/shared/lib/chunk'
import { lazyPart } from '@/shared/ui/lazy-part'

export { plansQuery } from './api'

/** The field for a coupon's code, and the coupons that the user has redeemed. */
export const OwnCoupons = lazyPart(chunk(() => import('./components/own-coupons')))

/** The user's orders, and the result of the one that the user has just paid. */
export const OwnOrders = lazyPart(chunk(() => import('./components/own-orders')))
