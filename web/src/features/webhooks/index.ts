import { lazy } from 'react'

/** The webhooks of one API, or with null those of the whole account. Its code comes when it is shown. */
export const Webhooks = lazy(() => import('./components/webhooks'))
