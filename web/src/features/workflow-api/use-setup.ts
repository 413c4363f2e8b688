import { useCallback, useMemo } from 'react'
import { useKeptDraft } from '@/shared/lib/use-kept-draft'
import { sameSetup, setupOf } from './model'
import { setupDrafts } from './setup-drafts'
import type { SavedApi, Setup } from './types'

/**
 * The setup that is being edited: restored after a reload, and stored in the browser until it is saved. A workflow that
 * has none yet starts with `first`.
 */
export function useSetup(workflow: string, saved: SavedApi | null, first: Setup | null) {
  const base = useMemo(() => setupOf(saved), [saved])
  const { draft, setDraft, changed, restored, settle, discard } = useKeptDraft({
    drafts: setupDrafts,
    id: workflow,
    over: saved?.updatedAt ?? '',
    saved: base,
    isSame: sameSetup,
    first: saved === null && first !== null ? first : undefined,
  })
  /** The server completes a saved setup. Shows its version, unless there are newer edits. */
  const settleApi = useCallback((sent: Setup, kept: SavedApi | null) => settle(sent, setupOf(kept)), [settle])
  return { setup: draft, change: setDraft, changed, restored, settle: settleApi, discard }
}

export type Editing = ReturnType<typeof useSetup>
