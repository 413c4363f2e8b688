import { lazy } from 'react'

export { Bell } from './components/bell'

/** What somebody is mailed about; its code comes with the page that shows it. */
export const AlertSettings = lazy(() =>
  import('./components/alert-settings').then((module) => ({ default: module.AlertSettings })),
)

/** A notice, with its code when the first one is opened. */
export const NoticeText = lazy(() =>
  import('./components/notice-text').then((module) => ({ default: module.NoticeText })),
)
