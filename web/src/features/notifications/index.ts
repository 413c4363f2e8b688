export { Bell } from './components/bell'

import { chunk } from '@/shared/lib/chunk'
import { lazyPart } from '@/shared/ui/lazy-part'

/** The mail settings, loaded with the page that shows them. */
export const AlertSettings = lazyPart(chunk(() => import('./components/alert-settings')))

/** A notice, loaded when the first one is opened. */
export const NoticeText = lazyPart(chunk(() => import('./components/notice-text')))
