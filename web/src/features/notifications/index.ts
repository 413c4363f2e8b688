export { Bell } from './components/bell'

import { chunk } from '@/shared/lib/chunk'
import { lazyPart } from '@/shared/ui/lazy-part'

/** What somebody is mailed about; its code comes with the page that shows it. */
export const AlertSettings = lazyPart(
  chunk(
    () => import('./components/alert-settings'),
    (module) => ({ default: module.AlertSettings }),
  ),
)

/** A notice, with its code when the first one is opened. */
export const NoticeText = lazyPart(
  chunk(
    () => import('./components/notice-text'),
    (module) => ({ default: module.NoticeText }),
  ),
)
