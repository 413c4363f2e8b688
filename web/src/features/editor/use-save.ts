import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import type { Workflow } from '@/shared/api/types'
import { DOUBLE_CLICK_MS } from '@/shared/lib/double-click-guard'
import type { SentGraph } from '@/shared/lib/frame-bridge'
import { toast } from '@/shared/ui/toast'
import { useRenameProject, useSaveGraph, useSaveNew } from './api'
import type { Project } from './model'
import type { EditorSession } from './use-session'

export type Saving = {
  busy: boolean
  /** Saves the graph; null if it was not saved. `latest` replaces a later version that the user was asked about. */
  save: (latest?: number) => Promise<Workflow | null>
  saveAs: (name: string) => Promise<Workflow | null>
  rename: (name: string) => void
}

type LastSave = { saved: Workflow; text: string | null; at: number }

/** Whether a save is the second half of a double click. */
const isRepeated = (last: LastSave, { flow }: Project, { workflow }: SentGraph): boolean =>
  last.saved._id === flow && last.text === workflow && Date.now() - last.at < DOUBLE_CLICK_MS

type Saved = {
  /** Asks for the name of a copy: another user's workflow is saved as one. */
  onCopy: () => void
  /** The graph of this project was saved as this workflow. */
  onSaved: (saved: Workflow, project: Project) => void
}

/** Saves the open graph, one save at a time: the next one changes the version that this one makes. */
export function useSave(session: EditorSession, { onCopy, onSaved }: Saved): Saving {
  const { t } = useTranslation('nodeEditor')
  const patch = useSaveGraph()
  const create = useSaveNew()
  const renaming = useRenameProject()
  const last = useRef<LastSave | null>(null)
  const done = (saved: Workflow, graph: SentGraph, project: Project) => {
    last.current = { saved, text: graph.workflow, at: Date.now() }
    session.settle(saved, graph, project)
    onSaved(saved, project)
    toast.success(t('saved'))
    return saved
  }
  const failed = (error: unknown) => {
    if (isApiError(error, 409) && error.code === 'WORKFLOW_CHANGED') session.setConflict('saved')
    else toast.error(t('saveFailed'), error)
    // The workflow was deleted; a copy needs none.
    if (isApiError(error, 404)) onCopy()
    return null
  }
  const write = ({ flow, name, version }: Project, graph: SentGraph, latest: number | undefined) =>
    flow === null
      ? create.mutateAsync({ name, graph, origin: null })
      : patch.mutateAsync({ flow, graph, baseVersion: latest ?? version })
  return {
    busy: patch.isPending || create.isPending,
    save: (latest) =>
      session
        .alone(async () => {
          const { graph, project } = await session.current()
          if (last.current && isRepeated(last.current, project, graph)) return last.current.saved
          if (project.own) return done(await write(project, graph, latest), graph, project)
          onCopy()
          return null
        })
        .catch(failed),
    saveAs: (name) =>
      session
        .alone(async () => {
          const { graph, project } = await session.current()
          const saved = await create.mutateAsync({ name, graph, origin: project.flow }).catch((error: unknown) => {
            if (isApiError(error, 404)) return create.mutateAsync({ name, graph, origin: null })
            throw error
          })
          return done(saved, graph, project)
        })
        .catch(failed),
    rename: (name) => {
      const { project } = session
      session.rename(project, name)
      const { flow } = project
      if (flow === null) return
      renaming.mutate(
        { flow, name },
        {
          onSuccess: () => toast.success(t('renamed')),
          onError: (error) => {
            session.rename(project, project.name)
            toast.error(t('renameFailed'), error)
          },
        },
      )
    },
  }
}
