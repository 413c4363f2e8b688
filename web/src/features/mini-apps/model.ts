import { oneOf, urlParams } from '@/shared/lib/url-params'
import type { AppSort } from './api'

export const APP_SORTS: AppSort[] = ['newest', 'like', 'view']
export const TABS = ['all', 'shared'] as const

export const APP_PARAMS = urlParams({
  tab: oneOf(TABS, 'all'),
  sort: oneOf(APP_SORTS, 'newest'),
  works: oneOf(['', 'true'] as const, ''),
})
