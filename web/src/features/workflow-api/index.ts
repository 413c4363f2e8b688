import { setupDrafts } from './setup-drafts'

export const dropApiDrafts = setupDrafts.dropAll
