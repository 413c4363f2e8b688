import { keptDrafts } from '@/shared/lib/kept-draft'
import type { Setup } from './types'

/** Setups that were changed and not saved, by their workflow. */
export const keptSetups = keptDrafts<Setup>('vg.api')
