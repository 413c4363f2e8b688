import type { Promotion, PromotionBody, PromotionPatch } from '@/shared/api/types'
import { dayOf, endOfDay, isFuture, startOfDay } from '@/shared/lib/days'
import { isEmpty, whole } from './model'

export const PROMOTION_KINDS = ['Banner', 'FirstPurchase'] as const satisfies Promotion['kind'][]
export const AUDIENCES = ['Everyone', 'WithoutPaidPlan'] as const satisfies NonNullable<Promotion['audience']>[]

export const MAX_PROMOTION_NAME = 80
export const MAX_BANNER_TEXT = 160
export const MAX_BANNER_LABEL = 40
export const MAX_BANNER_LINK = 200
const MAX_BONUS = 100

export type PromotionDraft = {
  kind: Promotion['kind']
  name: string
  audience: (typeof AUDIENCES)[number]
  textEn: string
  textKo: string
  labelEn: string
  labelKo: string
  link: string
  percent: string
  /** Days in the admin's time zone: `2026-11-27`, or empty. */
  startsAt: string
  endsAt: string
}

export const EMPTY_PROMOTION: PromotionDraft = {
  kind: 'Banner',
  name: '',
  audience: 'Everyone',
  textEn: '',
  textKo: '',
  labelEn: '',
  labelKo: '',
  link: '/pricing',
  percent: '',
  startsAt: '',
  endsAt: '',
}

export type PromotionField = Exclude<keyof PromotionDraft, 'kind' | 'audience'>

const BANNER_FIELDS = ['textEn', 'textKo', 'labelEn', 'labelKo', 'link'] as const satisfies PromotionField[]

/** The fields that the form of this kind shows. */
export const promotionFields = (kind: Promotion['kind']): PromotionField[] => [
  'name',
  ...(kind === 'Banner' ? BANNER_FIELDS : (['percent'] as const)),
  'startsAt',
  'endsAt',
]

/** Whether a link is a path of this site. Browsers read `//` as the beginning of another host. */
const isSitePath = (link: string) => /^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(link)

/** The fields that a promotion cannot have like this. A day in the past ends one that exists: that is allowed. */
export function wrongPromotion(draft: PromotionDraft, isNew: boolean, now = Date.now()): PromotionField[] {
  const { startsAt, endsAt } = draft
  const isReversed = startsAt !== '' && endsAt !== '' && endsAt < startsAt
  const isWrong: Record<PromotionField, boolean> = {
    name: isEmpty(draft.name),
    textEn: isEmpty(draft.textEn),
    textKo: isEmpty(draft.textKo),
    labelEn: isEmpty(draft.labelEn),
    labelKo: isEmpty(draft.labelKo),
    link: !isSitePath(draft.link.trim()),
    percent: whole(draft.percent, MAX_BONUS) === null,
    startsAt: false,
    endsAt: isReversed || (isNew && !isFuture(endsAt, now)),
  }
  return promotionFields(draft.kind).filter((field) => isWrong[field])
}

/** What the kind of a draft offers, as the API takes it. */
function offerOf(draft: PromotionDraft) {
  if (draft.kind === 'FirstPurchase') return { percent: whole(draft.percent, MAX_BONUS) ?? 0 }
  return {
    audience: draft.audience,
    textEn: draft.textEn.trim(),
    textKo: draft.textKo.trim(),
    labelEn: draft.labelEn.trim(),
    labelKo: draft.labelKo.trim(),
    link: draft.link.trim(),
  }
}

/** A valid draft as the API takes it. */
export const promotionBody = (draft: PromotionDraft): PromotionBody => ({
  name: draft.name.trim(),
  kind: draft.kind,
  startsAt: draft.startsAt ? startOfDay(draft.startsAt) : null,
  endsAt: draft.endsAt ? endOfDay(draft.endsAt) : null,
  ...offerOf(draft),
})

/** A promotion as its form shows it. */
export const promotionDraft = (promotion: Promotion): PromotionDraft => ({
  kind: promotion.kind,
  name: promotion.name,
  audience: promotion.audience ?? 'Everyone',
  textEn: promotion.textEn ?? '',
  textKo: promotion.textKo ?? '',
  labelEn: promotion.labelEn ?? '',
  labelKo: promotion.labelKo ?? '',
  link: promotion.link ?? '',
  percent: promotion.percent ? String(promotion.percent) : '',
  startsAt: dayOf(promotion.startsAt),
  endsAt: dayOf(promotion.endsAt),
})

/** Only what differs. The fields of a banner are sent together; a date keeps its time of day unless the day changes. */
export function promotionPatch(draft: PromotionDraft, promotion: Promotion): PromotionPatch {
  const offer = offerOf(draft)
  const isSame = Object.entries(offer).every(([field, value]) => promotion[field as keyof Promotion] === value)
  const name = draft.name.trim()
  return {
    ...(name !== promotion.name && { name }),
    ...(!isSame && offer),
    ...(draft.startsAt !== dayOf(promotion.startsAt) && {
      startsAt: draft.startsAt ? startOfDay(draft.startsAt) : null,
    }),
    ...(draft.endsAt !== dayOf(promotion.endsAt) && { endsAt: draft.endsAt ? endOfDay(draft.endsAt) : null }),
  }
}

/** Why an active promotion is not offered now; null if it is. */
export function promotionState({ startsAt, endsAt }: Promotion, now = Date.now()): 'planned' | 'ended' | null {
  if (endsAt && new Date(endsAt).getTime() <= now) return 'ended'
  return startsAt && new Date(startsAt).getTime() > now ? 'planned' : null
}

/** The bonus credits of a first purchase, rounded down. */
export const bonusOf = (credits: number, percent: number | null | undefined): number =>
  percent ? Math.floor((credits * percent) / 100) : 0
