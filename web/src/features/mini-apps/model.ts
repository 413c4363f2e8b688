import { oneOf, question } from '@/shared/lib/question'
import type { AppSort } from './api'

export const APP_SORTS: AppSort[] = ['newest', 'like', 'view']
export const TABS = ['all', 'shared'] as const

/** Which apps the page of all apps shows. */
export const appsAsked = question({
  tab: oneOf(TABS, 'all'),
  sort: oneOf(APP_SORTS, 'newest'),
  works: oneOf(['', 'true'] as const, ''),
})
