import { lazy } from 'react'

export { endChat } from './channel'
/** Comes once somebody is signed in: nobody waits for it. */
export const SupportChat = lazy(() => import('./support-chat'))
