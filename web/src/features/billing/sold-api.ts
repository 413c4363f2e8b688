import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { cursorQuery } from '@/shared/api/cursor-query'
import { isApiError } from '@/shared/api/errors'
import { CACHED_ITEMS, keys } from '@/shared/api/keys'
import { patchItem } from '@/shared/api/patch-item'
import type { AdminItem, CursorPage, ItemBody, ItemPatch, RefundBody, SoldOrder } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'
import { type SoldFilters, toSoldQuery } from './sold-model'

const PAGE = 20

/** All items, for admins. */
export const itemsQuery = () =>
  cursorQuery(
    keys.billing.items,
    (next, signal): Promise<CursorPage<AdminItem>> =>
      data(api.GET('/api/admin/item', { params: { query: { limit: PAGE, ...next } }, signal })),
  )

export function useCreateItem() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: ItemBody): Promise<AdminItem> => data(api.POST('/api/admin/item', { body })),
    onSuccess: () => {
      const changed = [keys.billing.items, keys.billing.shop, keys.audit.all]
      for (const queryKey of changed) void client.invalidateQueries({ queryKey })
    },
  })
}

/** Changes an item. A second click on its switch must not switch it back. */
export function useChangeItem(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: ItemPatch): Promise<AdminItem> =>
      data(api.PATCH('/api/admin/item/{id}', { params: { path: { id } }, body })),
    once: (patch) => Object.keys(patch).sort().join(' '),
    onSuccess: (item) => {
      patchItem<AdminItem>(client, CACHED_ITEMS.item, id, () => item)
      for (const queryKey of [keys.billing.shop, keys.audit.all]) void client.invalidateQueries({ queryKey })
    },
  })
}

/** The orders of all users, for admins. */
export const soldOrdersQuery = (filters: SoldFilters) => ({
  ...cursorQuery([...keys.billing.soldOrders, filters], (next, signal): Promise<CursorPage<SoldOrder>> => {
    const query = { limit: PAGE, ...toSoldQuery(filters), ...next }
    return data(api.GET('/api/admin/order', { params: { query }, signal }))
  }),
  staleTime: 0,
})

export function soldOrdersFileUrl(filters: SoldFilters): string {
  const query = new URLSearchParams(toSoldQuery(filters)).toString()
  return `/api/admin/order.csv${query && `?${query}`}`
}

/** An order with the credits of it that are left. Always fresh: its buyer spends them. */
export const soldOrderQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.billing.soldOrder, id],
    queryFn: ({ signal }): Promise<SoldOrder> =>
      data(api.GET('/api/admin/order/{id}', { params: { path: { id } }, signal })),
    staleTime: 0,
  })

/** Pays back a part of an order. */
export function useRefundOrder(id: string) {
  const client = useQueryClient()
  const refreshDetail = () => client.invalidateQueries({ queryKey: soldOrderQuery(id).queryKey })
  return useMutation({
    mutationFn: (body: RefundBody): Promise<SoldOrder> =>
      data(api.POST('/api/admin/order/{id}/refund', { params: { path: { id } }, body })),
    // A second press must not refund again, even if the proposed rest has changed by then.
    once: () => id,
    onSuccess: (order) => {
      patchItem<SoldOrder>(client, CACHED_ITEMS.soldOrder, id, () => order)
      void refreshDetail()
      void client.invalidateQueries({ queryKey: keys.audit.all })
    },
    onError: (error) => {
      if (isApiError(error, 409)) void refreshDetail()
    },
  })
}
