import { useSyncExternalStore } from 'react'
import type { OutputAsset, ReportKind } from '@/shared/api/types'

/**
 * The layers that open above whatever page is shown, and what each is told. They are opened and closed by id from
 * anywhere; `app/shell/modal-host.tsx` shows them. A feature with a layer of its own adds a line here and one there.
 */
export type Modals = {
  login: { mode?: 'signIn' | 'signUp' }
  announcements: { unseenOnly?: boolean }
  guidebook: { chapter?: GuideChapter }
  shortcuts: object
  /** One notice of the operators; `to` leads to what it is about. */
  notice: { title: string; html: string; at: string; to: string | null }
  workflowAlert: object
  /** Asks what publishing these pictures shall mean; `onDone` hears that it was done. */
  publish: { pictures: OutputAsset[]; onDone?: () => void }
  /** Which app shall take this picture. */
  useAsInput: { picture: OutputAsset }
  report: { kind: ReportKind; id: string }
  loading: { text?: string }
}

export type GuideChapter = 'run' | 'build' | 'publish'
export type ModalId = keyof Modals

let open: Partial<Modals> = {}
const listeners = new Set<() => void>()

function change(next: Partial<Modals>): void {
  open = next
  for (const listener of listeners) listener()
}

/** Shows a layer; one that is open already is told anew. */
export function openModal<I extends ModalId>(id: I, told: Modals[I]): void {
  change({ ...open, [id]: told })
}

/** Hides a layer. Harmless where it is not open. */
export function closeModal(id: ModalId): void {
  if (!(id in open)) return
  const { [id]: _, ...rest } = open
  change(rest)
}

/** Hides every layer. */
export function closeModals(): void {
  change({})
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** What an open layer was told; `undefined` while it is closed. */
export function useModal<I extends ModalId>(id: I): Modals[I] | undefined {
  return useSyncExternalStore(subscribe, () => open[id])
}
