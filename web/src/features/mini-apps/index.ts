import { lazy } from 'react'

export { miniAppQuery, miniAppsQuery } from './api'
export { AppCover, AppGrid, AppGridSkeleton, FeatureCard } from './components/app-card'
export { AppShelf } from './components/app-shelf'
export { WishEntry } from './components/wish-entry'
export { dropAllDrafts } from './draft'

/** A mini app inside another page; form and runner are fetched when one is shown. */
export const AppPanel = lazy(() => import('./components/app-panel'))
