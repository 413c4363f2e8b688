import type { AdminItem, Currency, ItemBody, ItemKind, ItemPatch } from '@/shared/api/types'
import { isEmpty, whole } from './model'
import { moneyText, typedMoney } from './orders-model'

export const MAX_ITEM_NAME = 80
const MAX_ITEM_CREDITS = 1_000_000_000
/** The prices that the server takes. */
const PRICE_RANGE: Record<Currency, readonly [number, number]> = { KRW: [100, 1_000_000_000], USD: [50, 10_000_000] }

export const ITEM_KINDS = ['Credit', 'Subscription'] as const satisfies ItemKind[]

export type ItemDraft = { kind: ItemKind; plan: string; name: string; credits: string } & Record<Currency, string>
export const EMPTY_ITEM: ItemDraft = { kind: 'Credit', plan: '', name: '', credits: '', KRW: '', USD: '' }
export const ITEM_FIELDS = ['plan', 'name', 'credits', 'KRW', 'USD'] as const satisfies (keyof ItemDraft)[]

/** An item as its form shows it. */
export const itemDraft = ({ kind, plan, name, credits, prices }: AdminItem): ItemDraft => ({
  kind,
  plan: plan ?? '',
  name,
  credits: String(credits),
  KRW: prices.KRW ? moneyText(prices.KRW, 'KRW') : '',
  USD: prices.USD ? moneyText(prices.USD, 'USD') : '',
})

const priceOf = (draft: ItemDraft, currency: Currency) =>
  isEmpty(draft[currency]) ? null : typedMoney(draft[currency], currency)

/** The wrong fields of an item, by the keys of `orders.items.wrong`. */
export function itemProblems(
  draft: ItemDraft,
): Partial<Record<keyof ItemDraft, Exclude<keyof ItemDraft, 'kind'> | 'noPrice'>> {
  const isWrong = (currency: Currency) => {
    const price = priceOf(draft, currency)
    const [least, most] = PRICE_RANGE[currency]
    return !isEmpty(draft[currency]) && (price === null || price < least || price > most)
  }
  const hasNone = isEmpty(draft.KRW) && isEmpty(draft.USD)
  return {
    ...(isEmpty(draft.name) && { name: 'name' }),
    ...(draft.kind === 'Credit' && whole(draft.credits, MAX_ITEM_CREDITS) === null && { credits: 'credits' }),
    ...(draft.kind === 'Subscription' && isEmpty(draft.plan) && { plan: 'plan' }),
    ...(hasNone && { KRW: 'noPrice' }),
    ...(isWrong('KRW') && { KRW: 'KRW' }),
    ...(isWrong('USD') && { USD: 'USD' }),
  }
}

/** A valid draft as the API takes it. */
export const itemBody = (draft: ItemDraft): ItemBody => ({
  name: draft.name.trim(),
  kind: draft.kind,
  ...(draft.kind === 'Credit' ? { credits: whole(draft.credits, MAX_ITEM_CREDITS) ?? 0 } : { plan: draft.plan }),
  prices: { KRW: priceOf(draft, 'KRW'), USD: priceOf(draft, 'USD') },
})

/** Only what differs from an item. Its kind and plan stay. */
export function itemPatch(draft: ItemDraft, item: AdminItem): ItemPatch {
  const { name, credits, prices } = itemBody(draft)
  const hasNewPrice = prices.KRW !== (item.prices.KRW ?? null) || prices.USD !== (item.prices.USD ?? null)
  return {
    ...(name !== item.name && { name }),
    ...(item.kind === 'Credit' && credits !== item.credits && { credits }),
    ...(hasNewPrice && { prices }),
  }
}
