import { useCallback, useEffect, useMemo, useState } from 'react'
import { sameSetup, setupOf } from './model'
import { setupDrafts } from './setup-drafts'
import type { SavedApi, Setup } from './types'

/** The setup that is being edited: restored after a reload, and stored in the browser until it is saved. */
export function useSetup(workflow: string, saved: SavedApi | null) {
  const base = useMemo(() => setupOf(saved), [saved])
  const version = saved?.updatedAt ?? ''
  const [start] = useState(() => setupDrafts.read(workflow, version))
  const [setup, setSetup] = useState<Setup>(start ?? base)
  const [restored, setRestored] = useState(start !== null && !sameSetup(start, base))
  const changed = useMemo(() => !sameSetup(setup, base), [setup, base])
  useEffect(() => {
    if (changed) setupDrafts.keep(workflow, version, setup)
    else setupDrafts.forget(workflow)
  }, [workflow, version, setup, changed])
  /** The server completes a saved setup. Shows its version, unless there are newer edits. */
  const settle = useCallback((sent: Setup, kept: SavedApi | null) => {
    setRestored(false)
    setSetup((now) => (sameSetup(now, sent) ? setupOf(kept) : now))
  }, [])
  const discard = useCallback(() => {
    setRestored(false)
    setSetup(base)
  }, [base])
  return { setup, change: setSetup, changed, restored, settle, discard }
}

export type Editing = ReturnType<typeof useSetup>
