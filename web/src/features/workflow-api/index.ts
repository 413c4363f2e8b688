import { keptSetups } from './kept-setup'

export const dropApiDrafts = keptSetups.dropAll
