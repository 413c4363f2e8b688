import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Workflow } from '@/shared/api/types'
import { forgetDraft, keepDraft, keptDraft } from './kept-draft'
import { type Draft, draftOf, sameDraft } from './model'

/** The form of a workflow: begins with what was typed before a reload, and keeps what is typed until it is saved. */
export function useDraft(workflow: Workflow) {
  const { _id: id, editedAt } = workflow
  const saved = useMemo(() => draftOf(workflow), [workflow])
  const [start] = useState(() => keptDraft(id, editedAt))
  const [draft, setDraft] = useState<Draft>(start ?? saved)
  const [restored, setRestored] = useState(start !== null && !sameDraft(start, saved))
  const dirty = !sameDraft(draft, saved)
  useEffect(() => {
    if (dirty) keepDraft(id, editedAt, draft)
    else forgetDraft(id)
  }, [id, editedAt, draft, dirty])
  const change = useCallback((part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part })), [])
  const reset = useCallback(() => {
    setDraft(saved)
    setRestored(false)
  }, [saved])
  return { draft, dirty, restored, change, setDraft, reset }
}
