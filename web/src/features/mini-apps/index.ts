export { miniAppQuery, miniAppsQuery, SIMPLE_APPS, simpleAppQuery, simpleAppsQuery } from './api'
export { AppCover, AppGrid, AppGridSkeleton, FeatureCard } from './components/app-card'
export { AppShelf } from './components/app-shelf'
export { AvailabilityNotice } from './components/availability-notice'
export { SimpleAppCards } from './components/simple-app-section'
export { SuggestionForm, useHasTextToImage } from './components/suggestion-form'
export { dropAllDrafts } from './draft'
export { APP_PARAMS } from './model'

import { withTexts } from '@/shared/i18n'
import { chunk } from '@/shared/lib/chunk'
import { DialogLoadError } from '@/shared/ui/dialog-load-error'
import { lazyPart } from '@/shared/ui/lazy-part'
import { SilentRetry } from '@/shared/ui/load-error'

export const AppPanel = lazyPart(chunk(() => import('./components/app-panel')))
export const AppTrial = lazyPart(chunk(() => import('./components/app-trial')))
/** Chooses one of the user's uploaded files. */
export const ImagePicker = lazyPart(withTexts(chunk(() => import('./components/image-picker'))), DialogLoadError)
/** The price of a run, by its quote. */
export const PriceLine = lazyPart(withTexts(chunk(() => import('./components/price-line'))), SilentRetry)
/** What a user without credits can do, for a dialog that says why. */
export const NoCreditChoice = lazyPart(chunk(() => import('./components/no-credit-choice')))
