import { draftStorage } from '@/shared/lib/draft-storage'
import type { Draft } from './model'

/** Unsaved forms of posts. */
export const workflowDrafts = draftStorage<Draft>('vg.workflow')

export const dropWorkflowDrafts = workflowDrafts.dropAll
