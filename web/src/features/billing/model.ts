import type { Coupon, CouponBody, CouponPatch, Plan } from '@/shared/api/types'
import { dayOf, endOfDay, isFuture, startOfDay } from '@/shared/lib/days'
import { freeText, oneOf, type ParamsOf, urlParams } from '@/shared/lib/url-params'
import { readNumber } from '@/shared/ui/schema-form/read-number'

type Pool = Plan['pools'][number]

/** How many runs of this price the credits of a month pay for. */
export const picturesOf = ({ monthlyCredits }: Plan, credits: number): number => Math.floor(monthlyCredits / credits)

/** The dearest machine that all plans have, so that their minutes can be compared; null where there is none, or it is free. */
export function commonMachine(plans: readonly Plan[]): Pool | null {
  const isInAll = ({ name }: Pool) => plans.every(({ pools }) => pools.some((pool) => pool.name === name))
  const common = (plans[0]?.pools ?? []).filter((pool) => isInAll(pool) && pool.creditsPerSecond > 0)
  return common.sort((one, other) => other.creditsPerSecond - one.creditsPerSecond)[0] ?? null
}

/** How many minutes of a machine the credits of a month pay for. */
const minutesOf = ({ monthlyCredits }: Plan, { creditsPerSecond }: Pool): number =>
  Math.floor(monthlyCredits / creditsPerSecond / 60)

/** Time on a machine as plans are compared: whole minutes below an hour, and hours with at most one decimal above. */
export function machineTime(plan: Plan, machine: Pool): { unit: 'minutes' | 'hours'; count: number } {
  const minutes = minutesOf(plan, machine)
  return minutes < 60 ? { unit: 'minutes', count: minutes } : { unit: 'hours', count: Math.floor(minutes / 6) / 10 }
}

/** Each machine once, from the cheapest, with the names of the plans that have it. */
export function machinesOf(plans: readonly Plan[]): { pool: Pool; plans: string[] }[] {
  const found = new Map<string, { pool: Pool; plans: string[] }>()
  for (const plan of plans) {
    for (const pool of plan.pools) {
      const known = found.get(pool.name) ?? { pool, plans: [] }
      known.plans.push(plan.name)
      found.set(pool.name, known)
    }
  }
  return [...found.values()].sort((one, other) => one.pool.creditsPerSecond - other.pool.creditsPerSecond)
}

/** The longest code, as typed, and the longest search that the server takes. */
export const MAX_TYPED_CODE = 100
export const MAX_SEARCH = 80

/** A code in the address, as in a link that an admin shares. */
export const REDEEM = urlParams({ code: freeText(MAX_TYPED_CODE) })

export const COUPON_STATES = ['all', 'active', 'inactive'] as const
export const COUPONS = urlParams({ search: freeText(MAX_SEARCH), state: oneOf(COUPON_STATES, 'all') })
export type CouponFilters = ParamsOf<typeof COUPONS>

const DASHES = /[\p{Pd}\u2212]/gu
const FOREIGN = /[^\p{L}\p{N}\s-]/gu

/** A typed or pasted code without what chats and e-mails add: quotes, invisible characters, dashes, wide letters. */
export const tidyCode = (text: string): string =>
  text.normalize('NFKC').replace(DASHES, '-').replace(FOREIGN, '').trim().toUpperCase()

/** 32 characters that cannot be confused with each other. A byte chooses one without bias. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A random code for a coupon that many people use. */
export function randomCode(): string {
  const letters = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => ALPHABET[byte % ALPHABET.length])
  return `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`
}

export const COUPON_KINDS = ['Credits', 'Plan', 'PercentOff'] as const

export type CouponDraft = {
  name: string
  kind: (typeof COUPON_KINDS)[number]
  amount: string
  plan: string
  days: string
  percent: string
  codes: 'shared' | 'unique'
  code: string
  codeCount: string
  usesPerAccount: string
  maxUses: string
  /** Days in the admin's time zone: `2026-11-27`, or empty. */
  startsAt: string
  endsAt: string
}

export const EMPTY_COUPON: CouponDraft = {
  name: '',
  kind: 'Credits',
  amount: '',
  plan: '',
  days: '',
  percent: '',
  codes: 'shared',
  code: '',
  codeCount: '',
  usesPerAccount: '1',
  maxUses: '',
  startsAt: '',
  endsAt: '',
}

export type CouponField = Exclude<keyof CouponDraft, 'kind' | 'codes'>

export const MAX_COUPON_NAME = 80
export const MAX_CODE = 40
const MAX_CREDITS = 1_000_000_000_000
const MAX_USES = 1_000_000_000
const MAX_DAYS = 3650
const MAX_PERCENT_OFF = 90
const MAX_CODES = 10_000
const MAX_USES_PER_ACCOUNT = 100

/** The typed number; null if it is none. A comma before three digits separates thousands. */
export function typedNumber(text: string, kind: 'whole' | 'decimal'): number | null {
  const read = readNumber(text.replace(/(?<=^\s*[1-9]\d{0,2}),(?=\d{3}\s*$)/, ''), kind === 'whole')
  return 'value' in read && typeof read.value === 'number' ? read.value : null
}

/** The typed whole number from `least` to `most`; null if it is none. */
export function whole(text: string, most: number, least = 1): number | null {
  const value = typedNumber(text, 'whole')
  return value !== null && value >= least && value <= most ? value : null
}
export const isEmpty = (text: string) => text.trim() === ''
const isCode = (code: string) => /^[A-Z0-9-]{4,40}$/.test(code) && code.replaceAll('-', '').length >= 4

const BENEFIT_FIELDS: Record<CouponDraft['kind'], CouponField[]> = {
  Credits: ['amount', 'days'],
  Plan: ['plan', 'days'],
  PercentOff: ['percent'],
}

/** The fields that the form of a new coupon shows. */
export function shownFields({ kind, codes }: Pick<CouponDraft, 'kind' | 'codes'>): CouponField[] {
  return [
    'name',
    ...BENEFIT_FIELDS[kind],
    ...(codes === 'shared' ? (['code', 'maxUses'] as const) : (['codeCount'] as const)),
    'usesPerAccount',
    'startsAt',
    'endsAt',
  ]
}

/** The fields that a new coupon cannot have like this. */
export function wrongFields(draft: CouponDraft, now = Date.now()): CouponField[] {
  const { kind, startsAt, endsAt } = draft
  const isWrong: Record<CouponField, boolean> = {
    name: isEmpty(draft.name),
    amount: whole(draft.amount, MAX_CREDITS) === null,
    plan: draft.plan === '',
    days: !(kind === 'Credits' && isEmpty(draft.days)) && whole(draft.days, MAX_DAYS) === null,
    percent: whole(draft.percent, MAX_PERCENT_OFF) === null,
    code: !isCode(sharedCode(draft.code)),
    codeCount: whole(draft.codeCount, MAX_CODES) === null,
    usesPerAccount: whole(draft.usesPerAccount, MAX_USES_PER_ACCOUNT) === null,
    maxUses: !isEmpty(draft.maxUses) && whole(draft.maxUses, MAX_USES) === null,
    startsAt: false,
    endsAt: !isFuture(endsAt, now) || (startsAt !== '' && endsAt !== '' && endsAt < startsAt),
  }
  return shownFields(draft).filter((field) => isWrong[field])
}

/** A shared code as it is stored: a space between two words becomes a hyphen. */
const sharedCode = (text: string) => tidyCode(text).replaceAll(/[\s-]+/g, '-')

function benefitOf(draft: CouponDraft): CouponBody['benefit'] {
  const days = whole(draft.days, MAX_DAYS)
  switch (draft.kind) {
    case 'Credits':
      return { kind: 'Credits', amount: whole(draft.amount, MAX_CREDITS), plan: null, days }
    case 'Plan':
      return { kind: 'Plan', amount: null, plan: draft.plan, days }
    case 'PercentOff':
      return { kind: 'PercentOff', percent: whole(draft.percent, MAX_PERCENT_OFF) }
  }
}

/** A valid draft as the API takes it. */
export function bodyOf(draft: CouponDraft): CouponBody {
  const isShared = draft.codes === 'shared'
  return {
    name: draft.name.trim(),
    benefit: benefitOf(draft),
    code: isShared ? sharedCode(draft.code) : null,
    codeCount: isShared ? null : whole(draft.codeCount, MAX_CODES),
    usesPerAccount: whole(draft.usesPerAccount, MAX_USES_PER_ACCOUNT) ?? 1,
    maxUses: isShared ? whole(draft.maxUses, MAX_USES) : null,
    startsAt: draft.startsAt ? startOfDay(draft.startsAt) : null,
    endsAt: draft.endsAt ? endOfDay(draft.endsAt) : null,
  }
}

export type CouponChanges = Pick<CouponDraft, 'name' | 'maxUses' | 'endsAt'>

/** What an admin can change later, as the form shows it. */
export const changesOf = ({ name, maxUses, endsAt }: Coupon): CouponChanges => ({
  name,
  maxUses: maxUses ? String(maxUses) : '',
  endsAt: dayOf(endsAt),
})

/** The fields that a coupon cannot have. A day in the past ends it: that is allowed. */
export function wrongChanges({ name, maxUses, endsAt }: CouponChanges, coupon: Coupon): (keyof CouponChanges)[] {
  const isWrong: Record<keyof CouponChanges, boolean> = {
    name: isEmpty(name),
    maxUses: !isEmpty(maxUses) && whole(maxUses, MAX_USES) === null,
    endsAt: endsAt !== '' && endsAt < dayOf(coupon.startsAt),
  }
  return (Object.keys(isWrong) as (keyof CouponChanges)[]).filter((field) => isWrong[field])
}

/** Only what differs: an end keeps its time of day unless another day is chosen. */
export function patchOf({ name, maxUses, endsAt }: CouponChanges, coupon: Coupon): CouponPatch {
  const most = isEmpty(maxUses) ? null : whole(maxUses, MAX_USES)
  return {
    ...(name.trim() !== coupon.name && { name: name.trim() }),
    ...(most !== (coupon.maxUses ?? null) && { maxUses: most }),
    ...(endsAt !== dayOf(coupon.endsAt) && { endsAt: endsAt ? endOfDay(endsAt) : null }),
  }
}

/** Why an active coupon cannot be redeemed now; null if it can. */
export function couponState(coupon: Coupon, now = Date.now()): 'planned' | 'ended' | 'usedUp' | null {
  const { startsAt, endsAt, maxUses, useCount } = coupon
  if (endsAt && new Date(endsAt).getTime() <= now) return 'ended'
  if (maxUses && useCount >= maxUses) return 'usedUp'
  return startsAt && new Date(startsAt).getTime() > now ? 'planned' : null
}
