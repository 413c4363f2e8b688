export { miniAppQuery, miniAppsQuery } from './api'
export { AppCover, AppGrid, AppGridSkeleton, FeatureCard } from './components/app-card'
export { AppShelf } from './components/app-shelf'
export { WishEntry } from './components/wish-entry'
export { WorksNotice } from './components/works-notice'
export { dropAllDrafts } from './draft'
export { appsAsked } from './model'
export { useDrawsWords } from './use-draws-words'

import { chunk } from '@/shared/lib/chunk'
import { lazyPart } from '@/shared/ui/lazy-part'

/** A mini app inside another page; form and runner are fetched when one is shown. */
export const AppPanel = lazyPart(chunk(() => import('./components/app-panel')))
/** The form of a mini app that is being made, with a run of it. */
export const AppTrial = lazyPart(chunk(() => import('./components/app-trial')))
