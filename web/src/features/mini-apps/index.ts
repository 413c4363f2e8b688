export { miniAppQuery, miniAppsQuery } from './api'
export { AppCover, AppGrid, AppGridSkeleton, FeatureCard } from './components/app-card'
export { AppShelf } from './components/app-shelf'
export { AvailabilityNotice } from './components/availability-notice'
export { SuggestionForm, useHasTextToImage } from './components/suggestion-form'
export { dropAllDrafts } from './draft'
export { APP_PARAMS } from './model'

import { chunk } from '@/shared/lib/chunk'
import { lazyPart } from '@/shared/ui/lazy-part'

export const AppPanel = lazyPart(chunk(() => import('./components/app-panel')))
export const AppTrial = lazyPart(chunk(() => import('./components/app-trial')))
