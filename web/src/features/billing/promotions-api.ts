import { useQueryClient } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { cursorQuery } from '@/shared/api/cursor-query'
import { CACHED_ITEMS, keys } from '@/shared/api/keys'
import { patchItem } from '@/shared/api/patch-item'
import type { CursorPage, Promotion, PromotionBody, PromotionPatch } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'

const PAGE = 20

/** All promotions, for admins. */
export const promotionListQuery = () =>
  cursorQuery(
    keys.billing.promotionList,
    (next, signal): Promise<CursorPage<Promotion>> =>
      data(api.GET('/api/admin/promotion', { params: { query: { limit: PAGE, ...next } }, signal })),
  )

export function useCreatePromotion() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: PromotionBody): Promise<Promotion> => data(api.POST('/api/admin/promotion', { body })),
    onSuccess: () => {
      const changed = [keys.billing.promotionList, keys.billing.promotions, keys.audit.all]
      for (const queryKey of changed) void client.invalidateQueries({ queryKey })
    },
  })
}

/** Changes a promotion. A second click on its switch must not switch it back. */
export function useChangePromotion(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: PromotionPatch): Promise<Promotion> =>
      data(api.PATCH('/api/admin/promotion/{id}', { params: { path: { id } }, body })),
    once: (patch) => Object.keys(patch).sort().join(' '),
    onSuccess: (promotion) => {
      patchItem<Promotion>(client, CACHED_ITEMS.promotion, id, () => promotion)
      for (const queryKey of [keys.billing.promotions, keys.audit.all]) void client.invalidateQueries({ queryKey })
    },
  })
}
