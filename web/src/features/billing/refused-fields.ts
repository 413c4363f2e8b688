import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import type { Currency } from '@/shared/api/types'
import type reasons from '@/shared/i18n/locales/en/reasons.json'
import { formatNumber } from '@/shared/lib/format'
import type { Problems } from '@/shared/lib/use-form'
import { formatMoney } from './orders-model'

/** Rules of the server with a sentence of ours, under `reasons.fields`. */
type Rule = keyof typeof reasons.fields
type Broken = { rule: Rule; names: Record<string, string> }

/** The server's words of each rule. The names of groups are the placeholders of its sentence. */
const WORDS: Record<Rule, RegExp> = {
  left: /^must be between (?<least>\d+) and (?<most>\d+), which (?:is|are) left$/,
  between: /^must be between (?<least>\d+) and (?<most>\d+)(?: of the smallest unit)?$/,
  length: /^must have (?<least>\d+) to (?<most>\d+)(?: visible)? characters$/,
  line: /^must have (?<least>\d+) to (?<most>\d+) visible characters in one line$/,
  notOver: /^must be in the future$/,
  afterStart: /^must be after startsAt$/,
  choice: /^must be one of (?<choices>.+)$/,
  code: /^must have 4 to 40 of A-Z, 0-9 and hyphens/,
  usedOnce: /^is the number of codes if each is used once$/,
  path: /^must be a path of this site: .* at most (?<most>\d+) characters$/,
  onePrice: /^at least one price is needed$/,
  needed: /^is needed(?: for \w+)?$/,
  foreign: /^does not belong to /,
  fixed: /^cannot be changed$/,
}
const RULES = Object.keys(WORDS) as Rule[]

/** The rule that the server's words are about; null if they are about none of these. */
export function brokenRule(message: string): Broken | null {
  for (const rule of RULES) {
    const found = WORDS[rule].exec(message)
    if (found) return { rule, names: found.groups ?? {} }
  }
  return null
}

/** The field of a form by its name in the API: `benefit.amount` is `amount`. Without any price, the first one is wrong. */
const fieldOf = (name: string) => (name === 'prices' ? 'KRW' : (name.split('.').at(-1) ?? ''))

/**
 * The refused fields that a form shows, in the language of the page. Words of the server that follow no known rule are
 * shown as they are. `money`: fields whose numbers are amounts of the smallest unit.
 */
export function useRefusedFields(
  money: Record<string, Currency | null | undefined> = {},
): (error: unknown, shown: readonly string[]) => Problems {
  const { t, i18n } = useTranslation('reasons')
  const written = (field: string, value: string) => {
    if (!/^\d+$/.test(value)) return value
    const currency = money[field]
    return currency ? formatMoney(Number(value), currency, i18n.language) : formatNumber(Number(value), i18n.language)
  }
  const sentence = (field: string, message: string) => {
    const broken = brokenRule(message)
    if (!broken) return message
    const names = Object.entries(broken.names).map(([name, value]) => [name, written(field, value)])
    return t(`fields.${broken.rule}`, Object.fromEntries(names))
  }
  return (error, shown) => {
    if (!isApiError(error)) return {}
    const named = error.fields.map(({ field, message }) => [fieldOf(field), message] as const)
    const own = named.filter(([field]) => shown.includes(field))
    return Object.fromEntries(own.map(([field, message]) => [field, sentence(field, message)]))
  }
}
