import { local } from '@/shared/lib/storage'
import type { Draft } from './model'

/** What was typed and not saved, with the state of the workflow that it was typed over. */
type Kept = { draft: Draft; editedAt: string }

const key = (id: string) => `vg.workflow.${id}`

/** The draft of this browser, unless the workflow was saved elsewhere since. */
export function keptDraft(id: string, editedAt: string): Draft | null {
  const kept = local.getJson<Kept>(key(id))
  if (!kept) return null
  if (kept.editedAt === editedAt) return kept.draft
  local.remove(key(id))
  return null
}

export const keepDraft = (id: string, editedAt: string, draft: Draft): void =>
  local.set(key(id), JSON.stringify({ draft, editedAt } satisfies Kept))

export const forgetDraft = (id: string): void => local.remove(key(id))
