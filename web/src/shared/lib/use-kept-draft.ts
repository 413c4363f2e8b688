import { useCallback, useEffect, useMemo, useState } from 'react'
import type { draftStorage } from './draft-storage'

type KeptDraft<Draft> = {
  drafts: ReturnType<typeof draftStorage<Draft>>
  /** The item that is edited, and its state: a draft of another state is not restored. */
  id: string
  over: string
  saved: Draft
  isSame: (one: Draft, other: Draft) => boolean
  /** The first draft of an item that has none. */
  first?: Draft | undefined
}

/** Edits of an item: restored after a reload, and stored in the browser until they are saved. */
export function useKeptDraft<Draft extends object>(options: KeptDraft<Draft>) {
  const { drafts, id, over, saved, isSame, first } = options
  const [start] = useState(() => drafts.read(id, over))
  const [draft, setDraft] = useState<Draft>(start ?? first ?? saved)
  const [restored, setRestored] = useState(start !== null && !isSame(start, saved))
  const changed = useMemo(() => !isSame(draft, saved), [isSame, draft, saved])
  useEffect(() => {
    if (changed) drafts.keep(id, over, draft)
    else drafts.forget(id)
  }, [drafts, id, over, draft, changed])
  /** The draft was saved as `kept`. Newer edits stay. */
  const settle = useCallback(
    (sent: Draft, kept: Draft) => {
      setRestored(false)
      setDraft((now) => (isSame(now, sent) ? kept : now))
    },
    [isSame],
  )
  const discard = useCallback(() => {
    setRestored(false)
    setDraft(saved)
  }, [saved])
  return { draft, setDraft, changed, restored, settle, discard }
}
