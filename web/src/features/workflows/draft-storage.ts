import { draftStorage } from '@/shared/lib/draft-storage'
import type { Draft } from './model'

/** Unsaved forms of posts. */
const drafts = draftStorage<Draft>('vg.workflow')

export const readDraft = drafts.read
export const storeDraft = drafts.keep
export const deleteDraft = drafts.forget
export const dropWorkflowDrafts = drafts.dropAll
