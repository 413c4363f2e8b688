import type { AdminItem, Currency, ItemBody, ItemPatch } from '@/shared/api/types'
import { isEmpty, whole } from './model'
import { moneyText, typedMoney } from './orders-model'

export const MAX_ITEM_NAME = 80
const MAX_ITEM_CREDITS = 1_000_000_000
/** The prices that the server takes. */
const PRICE_RANGE: Record<Currency, readonly [number, number]> = { KRW: [100, 1_000_000_000], USD: [50, 10_000_000] }

export type ItemDraft = { name: string; credits: string } & Record<Currency, string>
export const EMPTY_ITEM: ItemDraft = { name: '', credits: '', KRW: '', USD: '' }
export const ITEM_FIELDS = ['name', 'credits', 'KRW', 'USD'] as const satisfies (keyof ItemDraft)[]

/** An item as its form shows it. */
export const itemDraft = ({ name, credits, prices }: AdminItem): ItemDraft => ({
  name,
  credits: String(credits),
  KRW: prices.KRW ? moneyText(prices.KRW, 'KRW') : '',
  USD: prices.USD ? moneyText(prices.USD, 'USD') : '',
})

const priceOf = (draft: ItemDraft, currency: Currency) =>
  isEmpty(draft[currency]) ? null : typedMoney(draft[currency], currency)

/** The wrong fields of an item, by the keys of `orders.items.wrong`. */
export function itemProblems(draft: ItemDraft): Partial<Record<keyof ItemDraft, keyof ItemDraft | 'noPrice'>> {
  const isWrong = (currency: Currency) => {
    const price = priceOf(draft, currency)
    const [least, most] = PRICE_RANGE[currency]
    return !isEmpty(draft[currency]) && (price === null || price < least || price > most)
  }
  const hasNone = isEmpty(draft.KRW) && isEmpty(draft.USD)
  return {
    ...(isEmpty(draft.name) && { name: 'name' }),
    ...(whole(draft.credits, MAX_ITEM_CREDITS) === null && { credits: 'credits' }),
    ...(hasNone && { KRW: 'noPrice' }),
    ...(isWrong('KRW') && { KRW: 'KRW' }),
    ...(isWrong('USD') && { USD: 'USD' }),
  }
}

/** A valid draft as the API takes it. */
export const itemBody = (draft: ItemDraft): ItemBody => ({
  name: draft.name.trim(),
  credits: whole(draft.credits, MAX_ITEM_CREDITS) ?? 0,
  prices: { KRW: priceOf(draft, 'KRW'), USD: priceOf(draft, 'USD') },
})

/** Only what differs from an item. */
export function itemPatch(draft: ItemDraft, item: AdminItem): ItemPatch {
  const { name, credits, prices } = itemBody(draft)
  const hasNewPrice = prices.KRW !== (item.prices.KRW ?? null) || prices.USD !== (item.prices.USD ?? null)
  return {
    ...(name !== item.name && { name }),
    ...(credits !== item.credits && { credits }),
    ...(hasNewPrice && { prices }),
  }
}
