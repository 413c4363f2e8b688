export { miniAppsQuery } from './api'
export { AppGrid, AppGridSkeleton, FeatureCard } from './components/app-card'
export { dropAllDrafts } from './draft'
