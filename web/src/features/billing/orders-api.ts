import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { cursorQuery } from '@/shared/api/cursor-query'
import { isApiError } from '@/shared/api/errors'
import { CACHED_ITEMS, keys } from '@/shared/api/keys'
import { patchItem } from '@/shared/api/patch-item'
import type { CursorPage, Order, OrderBody, PurchaseQuote, PurchaseQuoteBody, Shop } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'
import { leaveFor } from './leave-for'

const PAGE = 20

/** What can be bought, and in which currencies. */
export const shopQuery = () =>
  queryOptions({
    queryKey: keys.billing.shop,
    queryFn: ({ signal }): Promise<Shop> => data(api.GET('/api/public/item', { signal })),
  })

/** Asks what a purchase costs with a code. Nothing is reserved; the server counts the tries. */
export function useQuotePurchase() {
  return useMutation({
    mutationFn: (body: PurchaseQuoteBody): Promise<PurchaseQuote> =>
      data(api.POST('/api/general/order/quote', { body })),
  })
}

/** Orders an item and goes to the provider's page. */
export function useCreateOrder() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: OrderBody): Promise<Order> => data(api.POST('/api/general/order', { body })),
    onSuccess: ({ payAt }) => {
      void client.invalidateQueries({ queryKey: keys.billing.orders })
      if (payAt) leaveFor(payAt)
    },
    onError: (error) => {
      // The item or the currency is no longer offered.
      const isGone = isApiError(error, 404) || isApiError(error, 409)
      if (!isGone) return
      for (const queryKey of [keys.billing.shop, keys.billing.promotions]) void client.invalidateQueries({ queryKey })
    },
  })
}

/** The user's orders. Always fresh: they change at the provider, outside of this page. */
export const ordersQuery = () => ({
  ...cursorQuery(
    keys.billing.orders,
    (next, signal): Promise<CursorPage<Order>> =>
      data(api.GET('/api/general/order', { params: { query: { limit: PAGE, ...next } }, signal })),
  ),
  staleTime: 0,
})

export const orderQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.billing.order, id],
    queryFn: ({ signal }): Promise<Order> =>
      data(api.GET('/api/general/order/{id}', { params: { path: { id } }, signal })),
  })

/** Shows a changed order, and loads what depends on it. */
export function refreshOrder(client: QueryClient, order: Order): void {
  patchItem<Order>(client, CACHED_ITEMS.order, order._id, () => order)
  const { auth, credits, billing } = keys
  const changed = [auth.user, credits.all, billing.orders, billing.promotions]
  for (const queryKey of changed) void client.invalidateQueries({ queryKey })
}

/** Asks the provider what became of a payment, and charges it if the buyer has approved it. */
export function useCompleteOrder() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string): Promise<Order> =>
      data(api.POST('/api/general/order/{id}/complete', { params: { path: { id } } })),
    onSuccess: (order) => client.setQueryData(orderQuery(order._id).queryKey, order),
  })
}

export function useCancelOrder() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string): Promise<Order> =>
      data(api.POST('/api/general/order/{id}/cancel', { params: { path: { id } } })),
    onSuccess: (order) => refreshOrder(client, order),
    onError: () => refreshOrders(client),
  })
}

/** Asks for the money back, and gives the credits back. */
export function useReturnOrder() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string): Promise<Order> =>
      data(api.POST('/api/general/order/{id}/refund', { params: { path: { id } } })),
    onSuccess: (order) => refreshOrder(client, order),
    onError: () => refreshOrders(client),
  })
}

/** A refusal says that the shown orders are old. */
function refreshOrders(client: QueryClient): void {
  for (const queryKey of [keys.billing.orders, keys.billing.order]) void client.invalidateQueries({ queryKey })
}
