import { local } from '@/shared/lib/storage'
import type { Draft } from './model'

/** What was typed and not saved, with the state of the workflow that it was typed over. */
type Kept = { draft: Draft; editedAt: string }

const INDEX = 'vg.workflows'
/** The oldest drafts make room for new ones. */
const MOST = 20
const key = (id: string) => `vg.workflow.${id}`
const known = () => local.getJson<string[]>(INDEX) ?? []

/** The draft of this browser, unless the workflow was saved elsewhere since. */
export function keptDraft(id: string, editedAt: string): Draft | null {
  const kept = local.getJson<Kept>(key(id))
  if (!kept) return null
  if (kept.editedAt === editedAt) return kept.draft
  local.remove(key(id))
  return null
}

export function keepDraft(id: string, editedAt: string, draft: Draft): void {
  local.set(key(id), JSON.stringify({ draft, editedAt } satisfies Kept))
  const others = known().filter((other) => other !== id)
  for (const old of others.slice(MOST - 1)) local.remove(key(old))
  local.set(INDEX, JSON.stringify([id, ...others.slice(0, MOST - 1)]))
}

export const forgetDraft = (id: string): void => local.remove(key(id))

/** Drafts are of the person who leaves; they go with the session. */
export function dropWorkflowDrafts(): void {
  for (const id of known()) local.remove(key(id))
  local.remove(INDEX)
}
