/** The tabs of the account that show what the user buys, as one chunk: they share most of their code. */
export { default as OwnMethods } from './own-methods'
export { default as OwnOrders } from './own-orders'
export { default as OwnSubscription } from './own-subscription'
