import { useSyncExternalStore } from 'react'
import type { OutputAsset, ReportKind } from '@/shared/api/types'

/**
 * The layers that any page can open by id, and the props of each. `app/shell/modal-host.tsx` renders them. A feature
 * adds a line in both files.
 */
export type Modals = {
  login: { mode?: 'signIn' | 'signUp' }
  announcements: { unseenOnly?: boolean }
  guidebook: { chapter?: GuideChapter }
  shortcuts: object
  /** An announcement of the operators; `to` links to its subject. */
  notice: { title: string; html: string; at: string; to: string | null }
  workflowAlert: object
  /** Asks how to publish these pictures. `onDone` runs when they are published. */
  publish: { pictures: OutputAsset[]; onDone?: () => void }
  /** Chooses an app that gets this picture as input. */
  useAsInput: { picture: OutputAsset }
  report: { kind: ReportKind; id: string }
  /** A run was refused for lack of credits. */
  noCredit: object
  loading: { text?: string }
  /** A failed run in the editor. `onShow` selects the node that failed. */
  executionError: { message: string; details?: string; node?: string; onShow?: () => void }
  /** Asks for the file name of the editor's graph, or of its prompt in API format. */
  exportWorkflow: { name: string; text: string }
  exportWorkflowApi: { name: string; text: string }
}

export type GuideChapter = 'run' | 'build' | 'publish'
export type ModalId = keyof Modals

let open: Partial<Modals> = {}
const listeners = new Set<() => void>()

function change(next: Partial<Modals>): void {
  open = next
  for (const listener of listeners) listener()
}

/** Opens a layer, or replaces the props of an open one. */
export function openModal<I extends ModalId>(id: I, props: Modals[I]): void {
  change({ ...open, [id]: props })
}

export function closeModal(id: ModalId): void {
  if (!(id in open)) return
  const { [id]: _, ...rest } = open
  change(rest)
}

export function closeModals(): void {
  change({})
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** The props of an open layer; `undefined` while it is closed. */
export function useModal<I extends ModalId>(id: I): Modals[I] | undefined {
  return useSyncExternalStore(subscribe, () => open[id])
}
