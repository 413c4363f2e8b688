import { keptDrafts } from '@/shared/lib/kept-draft'
import type { Draft } from './model'

/** What was typed into the form of a post and not saved. */
const drafts = keptDrafts<Draft>('vg.workflow')

export const keptDraft = drafts.read
export const keepDraft = drafts.keep
export const forgetDraft = drafts.forget
export const dropWorkflowDrafts = drafts.dropAll
