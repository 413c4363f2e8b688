import { lazy } from 'react'

export { miniAppQuery, miniAppsQuery } from './api'
export { AppCover, AppGrid, AppGridSkeleton, FeatureCard } from './components/app-card'
export { AppShelf } from './components/app-shelf'
export { WishEntry } from './components/wish-entry'
export { WorksNotice } from './components/works-notice'
export { dropAllDrafts } from './draft'
export { appsAsked } from './model'

/** A mini app inside another page; form and runner are fetched when one is shown. */
export const AppPanel = lazy(() => import('./components/app-panel'))
/** The form of a mini app that is being made, with a run of it. */
export const AppTrial = lazy(() => import('./components/app-trial'))
