import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { isApiError } from '@/shared/api/errors'
import type { Workflow, WorkflowDraft } from '@/shared/api/types'
import {
  type FrameBridge,
  type FrameMessage,
  type FrameTab,
  frameBridge,
  type SentGraph,
} from '@/shared/lib/frame-bridge'
import { randomId } from '@/shared/lib/random-id'
import { deleteDraft, deleteKnownDraft, fetchDraft, storeDraft } from './api'
import { blankProject, comparable, hasNodes, keyOf, type Project } from './model'
import { useChecks } from './use-checks'

/**
 * What another page has changed: the stored draft of this workflow, the draft of another project that was never saved,
 * or the saved workflow.
 */
export type Conflict = 'draft' | 'project' | 'saved'

type Known = {
  /** The graph as it was saved or loaded; null until the editor has sent it. */
  saved: string | null
  /** The graph of the stored draft. */
  stored: string | null
  revision: string | null
}

const UNKNOWN: Known = { saved: null, stored: null, revision: null }

/** What a look at the graph has found. */
export type Seen = {
  project: Project
  unsaved: boolean
  /** Whether the unsaved changes are stored as a draft. */
  drafted: boolean
}

type Start = {
  project: Project
  /** An unsaved graph that is loaded instead of the saved one. */
  draft: WorkflowDraft | null
  untitled: string
  /** Reads a workflow that the user opened in another tab of the editor. */
  read: (flow: string) => Promise<Project>
  /** The address of the open project: of its workflow, or of the draft of a new project. */
  onAddress: (flow: string | null) => void
  /** The server refuses to store the draft. */
  onRefused: (error: unknown) => void
  /** The frame was loaded again. Its graph is the saved one. */
  onReload: () => void
  onMessage: (message: FrameMessage) => void
}

export type EditorSession = {
  frame: { current: HTMLIFrameElement | null }
  bridge: FrameBridge
  project: Project
  rename: (project: Project, name: string) => void
  ready: boolean
  unsaved: boolean
  /** A change was reported, and not yet looked at. */
  pending: boolean
  conflict: Conflict | null
  setConflict: (conflict: Conflict | null) => void
  /** When the restored draft was written; null without one. */
  restored: string | null
  /** The graph as it is now, and the project of the active tab. */
  current: () => Promise<{ graph: SentGraph; project: Project }>
  /** Looks at the graph now, and stores a draft of unsaved changes. */
  look: () => Promise<Seen>
  /** Runs while no draft is stored and no other such function runs. */
  alone: <Result>(run: () => Promise<Result>) => Promise<Result>
  /** The graph of this project was saved. */
  settle: (saved: Workflow, graph: SentGraph, project: Project) => void
  /** Loads the saved graph of the open project, and deletes its draft. */
  replace: (workflow: string, project: Project) => Promise<void>
  keepMine: () => Promise<void>
  takeOther: () => Promise<void>
}

/** The open graph: its connection to the frame, whether it is saved, and its draft, which is stored while editing. */
export function useEditorSession(start: Start): EditorSession {
  const frame = useRef<HTMLIFrameElement>(null)
  const bridge = useMemo(() => frameBridge(() => frame.current?.contentWindow ?? null, window.location.origin), [])
  const [project, showProject] = useState(start.project)
  const [ready, setReady] = useState(false)
  const [unsaved, setUnsaved] = useState(false)
  const [conflict, showConflict] = useState<Conflict | null>(null)
  const [restored, setRestored] = useState<{ key: string; at: string } | null>(null)
  const page = useRef(randomId())
  const latest = useRef(start)
  latest.current = start
  const live = useRef({
    project: start.project,
    conflict: null as Conflict | null,
    begun: false,
    refused: false,
    // What the page knows of each project that is open in a tab of the editor.
    known: new Map<string, Known>(),
    projects: new Map<string, Project>(),
    /** The new project whose graph is stored as the one draft that new projects have. */
    drafted: null as string | null,
  })

  const setProject = useCallback((next: Project) => {
    live.current.project = next
    live.current.projects.set(keyOf(next), next)
    showProject(next)
  }, [])
  const setConflict = useCallback((next: Conflict | null) => {
    live.current.conflict = next
    showConflict(next)
  }, [])
  const knownOf = useCallback((project: Project): Known => {
    const known = live.current.known.get(keyOf(project)) ?? { ...UNKNOWN }
    live.current.known.set(keyOf(project), known)
    return known
  }, [])
  const clean = useCallback(() => {
    setConflict(null)
    setRestored(null)
    setUnsaved(false)
  }, [setConflict])

  /** Follows the user to another tab of the editor. */
  const follow = useCallback(
    async ({ flow, tab, name }: FrameTab) => {
      if (flow === undefined || keyOf({ flow, tab }) === keyOf(live.current.project)) return
      const blank = { ...blankProject(name ?? latest.current.untitled), tab }
      const known = live.current.projects.get(keyOf({ flow, tab }))
      setProject(known ?? (flow === null ? blank : await latest.current.read(flow)))
      setConflict(null)
    },
    [setConflict, setProject],
  )
  const current = useCallback(async () => {
    const graph = await bridge.graph()
    const before = live.current.project.flow
    await follow(graph)
    const { project } = live.current
    if (project.flow !== before) latest.current.onAddress(project.flow)
    return { graph, project }
  }, [bridge, follow])

  const store = useCallback(
    async (workflow: string, text: string, project: Project) => {
      const { flow, name, version } = project
      const known = knownOf(project)
      // Before the request: if its answer is lost, the draft may be stored.
      if (flow === null) live.current.drafted = keyOf(project)
      const { revision } = known
      known.revision = await storeDraft({ flow, name, workflow, baseVersion: version, page: page.current, revision })
      known.stored = text
      live.current.refused = false
      if (flow === null) latest.current.onAddress(null)
    },
    [knownOf],
  )
  const forget = useCallback(
    async (project: Project) => {
      const known = knownOf(project)
      const { revision } = known
      Object.assign(known, { stored: null, revision: null })
      if (live.current.drafted === keyOf(project)) live.current.drafted = null
      await deleteKnownDraft(project.flow, revision)
    },
    [knownOf],
  )
  const storeFailed = useCallback(
    (error: unknown, { flow }: Project) => {
      if (isApiError(error, 409)) return setConflict(flow === null ? 'project' : 'draft')
      if (!isApiError(error) || error.status === 0 || error.status === 429 || error.status >= 500) throw error
      if (error.status !== 401 && !live.current.refused) latest.current.onRefused(error)
      live.current.refused = true
    },
    [setConflict],
  )
  const check = useCallback(async (): Promise<Seen> => {
    const { graph, project } = await current()
    const known = knownOf(project)
    const now = comparable(graph.workflow)
    // A graph that came into a new tab, such as from a file, is saved nowhere.
    known.saved ??= project.flow === null ? '' : now
    const changed = now !== known.saved && (project.flow !== null || hasNodes(graph.workflow))
    setUnsaved(changed)
    if (!changed) {
      if (known.stored !== null) await forget(project)
      return { project, unsaved: false, drafted: false }
    }
    const { drafted, conflict } = live.current
    const isOther = project.flow === null && drafted !== null && drafted !== keyOf(project)
    if (graph.workflow !== null && known.stored !== now && !conflict && !isOther) {
      await store(graph.workflow, now, project).catch((error: unknown) => storeFailed(error, project))
    }
    return { project, unsaved: true, drafted: known.stored === now }
  }, [current, forget, knownOf, store, storeFailed])
  const { soon, look, alone, pending, setPending } = useChecks(check)

  const load = useCallback(
    (workflow: string, next: Project) => {
      setProject(next)
      const { name, flow, tab } = next
      bridge.send({ type: 'loadWorkflow', workflow, name, flow, ...(flow === null && tab !== undefined && { tab }) })
    },
    [bridge, setProject],
  )
  const begin = useCallback(async () => {
    const { draft, project: opened } = latest.current
    const sent = await bridge.graph()
    const { tab, name = opened.name } = sent
    if (opened.flow === null && sent.flow === null) setProject({ ...opened, tab, name })
    await follow(sent)
    const { project } = live.current
    knownOf(project).saved = comparable(sent.workflow)
    setReady(true)
    if (!draft) return
    // A workflow that the editor could not open has its draft all the same.
    const target = opened.flow === null ? { ...project, name: draft.name } : opened
    const known = knownOf(target)
    Object.assign(known, { stored: comparable(draft.workflow), revision: draft.revision })
    // A draft that was stored while its graph was saved.
    if (known.stored === known.saved) return forget(target)
    if (target.flow === null) live.current.drafted = keyOf(target)
    setRestored({ key: keyOf(target), at: draft.updatedAt })
    setUnsaved(true)
    // A draft of an earlier version asks before it replaces the later one.
    load(draft.workflow, { ...target, version: draft.baseVersion ?? target.version })
  }, [bridge, follow, forget, knownOf, load, setProject])

  useEffect(
    () =>
      bridge.listen((message) => {
        if (message.type === 'editorReady') {
          // The frame knows nothing of the draft.
          if (live.current.begun) return latest.current.onReload()
          live.current.begun = true
          void alone(begin).catch(() => setReady(true))
        }
        if (message.type === 'graphChanged') {
          setPending(true)
          soon()
        }
        if (message.type === 'outputNodeDefs' && message.flow !== live.current.project.flow) soon()
        latest.current.onMessage(message)
      }),
    [alone, bridge, begin, setPending, soon],
  )

  const settle = useCallback(
    (saved: Workflow, graph: SentGraph, of: Project) => {
      const { known, projects, project: open } = live.current
      const { revision } = knownOf(of)
      const next = { flow: saved._id, name: saved.name, version: saved.version, own: true }
      for (const map of [known, projects]) map.delete(keyOf(of))
      if (live.current.drafted === keyOf(of)) live.current.drafted = null
      known.set(keyOf(next), { ...UNKNOWN, saved: comparable(graph.workflow) })
      projects.set(keyOf(next), next)
      bridge.send({ type: 'graphSaved', flow: saved._id, name: saved.name, requestId: graph.requestId })
      if (keyOf(open) === keyOf(of)) {
        setProject(next)
        clean()
        if (open.flow !== saved._id) latest.current.onAddress(saved._id)
      }
      // The server deletes the draft of a saved workflow.
      if (of.flow !== saved._id) void deleteKnownDraft(of.flow, revision).catch(() => undefined)
      // The user may have gone on editing.
      soon()
    },
    [bridge, clean, knownOf, setProject, soon],
  )
  const other = async () => {
    const draft = await fetchDraft(live.current.project.flow)
    knownOf(live.current.project).revision = draft?.revision ?? null
    return draft
  }
  return {
    frame,
    bridge,
    project,
    rename: (of, name) => {
      const next = { ...(live.current.projects.get(keyOf(of)) ?? of), name }
      live.current.projects.set(keyOf(of), next)
      if (keyOf(live.current.project) === keyOf(of)) setProject(next)
      // The name of a new project is in its draft only.
      const known = knownOf(of)
      if (of.flow !== null || known.stored === null) return
      known.stored = ''
      soon()
    },
    ready,
    unsaved,
    pending,
    conflict,
    setConflict,
    restored: restored?.key === keyOf(project) ? restored.at : null,
    current,
    look,
    alone,
    settle,
    replace: (workflow, of) =>
      alone(async () => {
        await deleteDraft(of.flow)
        // The next graph of the editor counts as saved.
        live.current.known.set(keyOf(of), { ...UNKNOWN })
        if (live.current.drafted === keyOf(of)) live.current.drafted = null
        clean()
        load(workflow, of)
      }),
    keepMine: async () => {
      await other()
      setConflict(null)
      await look()
    },
    takeOther: () =>
      alone(async () => {
        const draft = await other()
        setConflict(null)
        if (!draft) return
        const { project } = live.current
        knownOf(project).stored = comparable(draft.workflow)
        setUnsaved(true)
        setRestored({ key: keyOf(project), at: draft.updatedAt })
        const name = project.flow === null ? draft.name : project.name
        load(draft.workflow, { ...project, name, version: draft.baseVersion ?? project.version })
        if (project.flow !== null) return
        live.current.drafted = keyOf(project)
        latest.current.onAddress(null)
      }),
  }
}
