import { draftStorage } from '@/shared/lib/draft-storage'
import type { Setup } from './types'

/** Unsaved setups by workflow. */
export const setupDrafts = draftStorage<Setup>('vg.api')
