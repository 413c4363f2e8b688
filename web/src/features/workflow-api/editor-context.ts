import { createContext, useContext } from 'react'
import type { OutputNodeDef } from '@/shared/lib/frame-bridge'
import type { Editor, HealthProblem, Setup } from './types'

/** The state shared by the parts of the editor. */
export type EditorState = {
  editor: Editor
  setup: Setup
  change: (change: (setup: Setup) => Setup) => void
  /** Entries that do not match the workflow any more. */
  problems: readonly HealthProblem[]
  /** The server's errors, by `inputs.<key>` or `outputs.<key>`, then by field. */
  refused: Record<string, Record<string, string>>
  /** The node highlighted in the lists and in the graph. */
  marked: string | null
  /** Scrolls to a node in the graph and highlights it. */
  lookAt: (node: string) => void
  /** The output nodes that the node editor draws, those that do not run too. Empty in our own drawing. */
  drawnOutputs: readonly OutputNodeDef[]
}

export const EditorContext = createContext<EditorState | null>(null)

export function useEditor(): EditorState {
  const state = useContext(EditorContext)
  if (!state) throw new Error('useEditor needs an EditorContext above it')
  return state
}
