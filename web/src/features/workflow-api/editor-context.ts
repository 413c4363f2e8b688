import { createContext, useContext } from 'react'
import type { Editor, HealthProblem, Setup } from './types'

/** What the parts of the editor share. */
export type EditorState = {
  editor: Editor
  setup: Setup
  change: (change: (setup: Setup) => Setup) => void
  /** What does not stand on the workflow any more. */
  problems: readonly HealthProblem[]
  /** What the server refused, by `inputs.<key>` or `outputs.<key>`, and then by what of the entry. */
  refused: Record<string, Record<string, string>>
  /** The node that is marked in the drawing. */
  marked: string | null
  /** Brings a node into sight in the drawing, and marks it. */
  lookAt: (node: string) => void
}

export const EditorContext = createContext<EditorState | null>(null)

export function useEditor(): EditorState {
  const state = useContext(EditorContext)
  if (!state) throw new Error('a part of the workflow-API editor stands outside of it')
  return state
}
