import { chunk } from '@/shared/lib/chunk'
import { lazyPart } from '@/shared/ui/lazy-part'

export { plansQuery } from './api'
export { promotionsQuery } from './promotions-query'

/** The plan, credits and newest orders of a person, for admins. */
export const PersonMoney = lazyPart(chunk(() => import('./components/person-money')))

/** The field for a coupon's code, and the coupons that the user has redeemed. */
export const OwnCoupons = lazyPart(chunk(() => import('./components/own-coupons')))

/** The subscription of the user, with what can be done. */
export const OwnSubscription = lazyPart(
  chunk(
    () => import('./components/own'),
    (module) => ({ default: module.OwnSubscription }),
  ),
)

/** The user's cards, and the result of the window in which one was just saved. */
export const OwnMethods = lazyPart(
  chunk(
    () => import('./components/own'),
    (module) => ({ default: module.OwnMethods }),
  ),
)

/** The user's orders, and the result of the one that the user has just paid. */
export const OwnOrders = lazyPart(
  chunk(
    () => import('./components/own'),
    (module) => ({ default: module.OwnOrders }),
  ),
)
