import { lazy } from 'react'

/** The person's own picture and name, to be changed; its code comes when somebody wants to. */
export const WhoEditor = lazy(() => import('./components/who-editor').then((module) => ({ default: module.WhoEditor })))
