import type { AnyJobsPage, JobStatusName } from '@/shared/api/types'
import { calendarDay } from '@/shared/lib/calendar-day'
import { freeText, oneOf, type ParamsOf, parsedBy, urlParams } from '@/shared/lib/url-params'
import { wholeId } from '@/shared/lib/whole-id'
import { STATUSES } from './api'

const GROUPS = ['active', 'done', 'failed'] as const
type Group = (typeof GROUPS)[number]

/** The groups of My jobs, without the one that is a status of its own. */
export const STATUS_GROUPS = ['active', 'failed'] as const satisfies Group[]
export const ALL_STATUSES: JobStatusName[] = [...GROUPS.flatMap((group) => STATUSES[group]), 'Canceled']

export const LANES = ['interactive', 'api', 'training', 'flex'] as const
export const PRICE_CLASSES = ['standard', 'flex'] as const
type StatusChoice = JobStatusName | (typeof STATUS_GROUPS)[number] | ''

/** The id of an app, written alone or in the address of its page. */
const appId = (text: string) => wholeId(/\/easy-app\/([^/?#]*)/.exec(text)?.[1] ?? text)
const label = (text: string) => (/^[\w.-]{1,40}=.{0,256}$/.test(text.trim()) ? text.trim() : undefined)

/** Filters of the jobs of all users; empty values filter nothing. Days are in UTC and inclusive. */
export const ANY_JOBS = urlParams({
  status: oneOf<StatusChoice>([...STATUS_GROUPS, ...ALL_STATUSES], ''),
  user: parsedBy(wholeId),
  app: parsedBy(wholeId),
  label: parsedBy(label),
  pool: freeText(100),
  worker: parsedBy(wholeId),
  lane: oneOf<(typeof LANES)[number] | ''>(LANES, ''),
  priceClass: oneOf<(typeof PRICE_CLASSES)[number] | ''>(PRICE_CLASSES, ''),
  exception: freeText(200),
  from: parsedBy(calendarDay),
  until: parsedBy(calendarDay),
})
export type AnyJobFilters = ParamsOf<typeof ANY_JOBS>
export const NO_FILTERS: AnyJobFilters = {
  status: '',
  user: '',
  app: '',
  label: '',
  pool: '',
  worker: '',
  lane: '',
  priceClass: '',
  exception: '',
  from: '',
  until: '',
}

/** The filters by a typed text. */
export const TEXT_FILTERS = ['app', 'label', 'pool', 'worker', 'exception'] as const satisfies (keyof AnyJobFilters)[]

export const hasFilters = (filters: AnyJobFilters): boolean => Object.values(filters).some((value) => value !== '')

export const isReversed = ({ from, until }: Pick<AnyJobFilters, 'from' | 'until'>): boolean =>
  from !== '' && until !== '' && until < from

/** What a typed text filters by; `undefined` if it is none of this kind. */
export const readText = (key: (typeof TEXT_FILTERS)[number], text: string): string | undefined => {
  if (text.trim() === '') return ''
  if (key === 'app') return appId(text)
  if (key === 'worker') return wholeId(text)
  return key === 'label' ? label(text) : text.trim()
}

/** The filters as the API takes them. */
export function toJobsQuery({ status, app, lane, priceClass, ...texts }: AnyJobFilters) {
  const group = STATUS_GROUPS.find((one) => one === status)
  const set = Object.entries(texts).filter(([, value]) => value !== '')
  return {
    ...(Object.fromEntries(set) as Partial<typeof texts>),
    ...(status && { status: group ? STATUSES[group].join(',') : status }),
    ...(app && { workflowApi: app }),
    ...(lane && { lane }),
    ...(priceClass && { priceClass }),
  }
}

/** Pages without a match that are read before the admin is asked whether to search further back. */
const PAGES_AT_ONCE = 5

type FruitlessSearch = NonNullable<AnyJobsPage['searched']>

/** What the last pages searched without a match, once that is as much as is read at once; `null` otherwise. */
export function fruitlessSearch(pages: AnyJobsPage[]): FruitlessSearch | null {
  const fruitless = pages.slice(pages.findLastIndex(({ items }) => items.length > 0) + 1)
  const last = fruitless.at(-1)?.searched
  if (!last || fruitless.length % PAGES_AT_ONCE !== 0) return null
  return { jobs: fruitless.reduce((sum, { searched }) => sum + (searched?.jobs ?? 0), 0), backTo: last.backTo }
}
