import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { cursorQuery } from '@/shared/api/cursor-query'
import { CACHED_ITEMS, keys } from '@/shared/api/keys'
import { patchItem } from '@/shared/api/patch-item'
import type { Coupon, CouponBody, CouponPatch, CursorPage, Plan, RedeemedCoupon } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'
import type { CouponFilters } from './model'

const STALE_MS = 600_000

/** The plans of this installation, from the smallest to the largest. */
export const plansQuery = () =>
  queryOptions({
    queryKey: keys.billing.plans,
    queryFn: async ({ signal }): Promise<Plan[]> => (await data(api.GET('/api/public/plan', { signal }))).items,
    staleTime: STALE_MS,
  })

/** A mini app that many people use, and what a run of it usually costs. Null while nothing has run. */
export const typicalRunQuery = () =>
  queryOptions({
    queryKey: keys.billing.typicalRun,
    queryFn: async ({ signal }): Promise<{ name: string; credits: number } | null> => {
      const query = { limit: 1, sort: 'view', makes: 'image', works: true } as const
      const { items } = await data(api.GET('/api/public/mini-app', { params: { query }, signal }))
      const app = items[0]
      if (!app?.workflowApi) return null
      const params = { path: { id: app.workflowApi } }
      const { expected } = await data(api.GET('/api/public/workflow-api/{id}/quote', { params, signal }))
      return expected && expected.credits > 0 ? { name: app.name, credits: expected.credits } : null
    },
    staleTime: STALE_MS,
  })

const PAGE = 30

/** All coupons, for admins. */
export const couponsQuery = ({ search, state }: CouponFilters) =>
  cursorQuery([...keys.billing.coupons, search, state], (next, signal): Promise<CursorPage<Coupon>> => {
    const filters = { ...(search && { search }), ...(state !== 'all' && { isActive: state === 'active' }) }
    return data(api.GET('/api/admin/coupon', { params: { query: { limit: PAGE, ...filters, ...next } }, signal }))
  })

/** The redemptions of a coupon, for admins. */
export const couponUsesQuery = (id: string) =>
  cursorQuery([...keys.billing.couponUses, id], (next, signal) =>
    data(api.GET('/api/admin/coupon/{id}/use', { params: { path: { id }, query: { limit: PAGE, ...next } }, signal })),
  )

/** The CSV file with the unique codes of a coupon. */
export const couponCodesUrl = (id: string) => `/api/admin/coupon/${encodeURIComponent(id)}/code.csv`

export function useCreateCoupon() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: CouponBody) => data(api.POST('/api/admin/coupon', { body })),
    onSuccess: () => {
      for (const queryKey of [keys.billing.coupons, keys.audit.all]) void client.invalidateQueries({ queryKey })
    },
  })
}

/** Changes a coupon. A second click on its switch must not switch it back. */
export function useChangeCoupon(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: CouponPatch): Promise<Coupon> =>
      data(api.PATCH('/api/admin/coupon/{id}', { params: { path: { id } }, body })),
    once: (patch) => Object.keys(patch).sort().join(' '),
    onSuccess: (coupon) => {
      patchItem<Coupon>(client, CACHED_ITEMS.coupon, id, () => coupon)
      // It stays in the list that is shown, even if it no longer matches the filter.
      void client.invalidateQueries({ queryKey: keys.billing.coupons, refetchType: 'none' })
      void client.invalidateQueries({ queryKey: keys.audit.all })
    },
  })
}

/** The coupons that the user has redeemed. */
export const redeemedQuery = () =>
  cursorQuery(
    keys.billing.redeemed,
    (next, signal): Promise<CursorPage<RedeemedCoupon>> =>
      data(api.GET('/api/general/coupon', { params: { query: { limit: PAGE, ...next } }, signal })),
  )

export function useRedeemCoupon() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (code: string): Promise<RedeemedCoupon> => data(api.POST('/api/general/coupon', { body: { code } })),
    onSuccess: () => {
      const { billing, auth, credits, account, miniApps, editor } = keys
      // Quotes depend on the plan and its pools.
      const changed = [billing.redeemed, auth.user, credits.all, account.plan, miniApps.quote, editor.quote]
      for (const queryKey of changed) void client.invalidateQueries({ queryKey })
    },
  })
}
