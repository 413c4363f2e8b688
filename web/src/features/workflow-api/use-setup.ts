import { useCallback, useEffect, useMemo, useState } from 'react'
import { keptSetups } from './kept-setup'
import { sameSetup, setupOf } from './model'
import type { SavedApi, Setup } from './types'

/** What is being set up: begins with what was done before a reload, and is kept in the browser until it is saved. */
export function useSetup(workflow: string, saved: SavedApi | null) {
  const base = useMemo(() => setupOf(saved), [saved])
  const version = saved?.updatedAt ?? ''
  const [start] = useState(() => keptSetups.read(workflow, version))
  const [setup, setSetup] = useState<Setup>(start ?? base)
  const [restored, setRestored] = useState(start !== null && !sameSetup(start, base))
  const changed = useMemo(() => !sameSetup(setup, base), [setup, base])
  useEffect(() => {
    if (changed) keptSetups.keep(workflow, version, setup)
    else keptSetups.forget(workflow)
  }, [workflow, version, setup, changed])
  /** The server completes what it saves: that is shown, unless more was done meanwhile. */
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
