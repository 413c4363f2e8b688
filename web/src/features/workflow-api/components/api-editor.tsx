import { type QueryObserverResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AvailabilityNotice } from '@/features/mini-apps'
import { useDebounced } from '@/features/search'
import { Webhooks } from '@/features/webhooks'
import { useLeaveGuard, workflowGraphQuery } from '@/features/workflows'
import { keys } from '@/shared/api/keys'
import { chunk } from '@/shared/lib/chunk'
import { type FrameMessage, type GraphBridge, localBridge, type OutputNodeDef } from '@/shared/lib/frame-bridge'
import { useUrlParams } from '@/shared/lib/url-params'
import { ButtonLink } from '@/shared/ui/button'
import { lazyPart } from '@/shared/ui/lazy-part'
import { PartBoundary } from '@/shared/ui/part-boundary'
import { PageSpinner } from '@/shared/ui/spinner'
import { EmptyState } from '@/shared/ui/states'
import { Tabs } from '@/shared/ui/tabs'
import { toast } from '@/shared/ui/toast'
import { previewQuery } from '../api'
import { EditorContext, type EditorState } from '../editor-context'
import { EDITOR_PARAMS, freshProblems, isEmpty, nodesOf, problemsOf, refusedOf, type SaveBlock, TABS } from '../model'
import type { Editor, HealthProblem } from '../types'
import { useSetup } from '../use-setup'
import styles from './api-editor.module.css'
import { EditorHead } from './editor-head'
import { GraphPanel } from './graph-panel'
import { PreviewPanel } from './preview-panel'
import { ProblemDialog } from './problem-dialog'
import { Proposal } from './proposal'
import { SelectTab } from './select-tab'

const DetailTab = lazyPart(chunk(() => import('./detail-tab')))
const ShareTab = lazyPart(chunk(() => import('./share-tab')))
const DataPreviewTab = lazyPart(chunk(() => import('./data-preview-tab')))

/** Debounce of the form preview. */
const DEBOUNCE_MS = 400
const NO_PROBLEMS: EditorState['problems'] = []
const NO_OUTPUTS: EditorState['drawnOutputs'] = []

type ApiEditorProps = {
  editor: Editor
  /** The address of the workflow's page. */
  post: string
  refetch: () => Promise<QueryObserverResult<Editor>>
}

/** The editor: graph and form on one side, the parts of the setup on the other, the result below. */
export function ApiEditor({ editor, post, refetch }: ApiEditorProps) {
  const { t } = useTranslation('workflowApi')
  const [{ tab, app }, { replace }] = useUrlParams(EDITOR_PARAMS)
  const { workflow, saved } = editor
  const editing = useSetup(workflow._id, saved, app && editor.dropped ? editor.proposal : null)
  const { setup, changed } = editing
  const settled = useDebounced(setup, DEBOUNCE_MS)
  const preview = useQuery({
    ...previewQuery(workflow._id, settled),
    enabled: editor.hasPrompt && !isEmpty(settled),
  })
  const found = preview.data?.health.problems ?? saved?.health.problems ?? NO_PROBLEMS
  const problems = useMemo(() => problemsOf(setup, found), [setup, found])
  const refused = useMemo(() => refusedOf(preview.error, setup), [preview.error, setup])
  const [warning, setWarning] = useState<SaveBlock | null>(null)
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  useLeaveGuard(changed)
  const warn = (block: SaveBlock) => {
    setWarning(block)
    replace({ tab: block === 'unhealthy' ? 'detail' : 'select' })
  }
  useFreshProblems(problems, () => warn('unhealthy'))
  const places = useFocusedNodes()
  const refresh = useRefresh(workflow._id, refetch, (fresh) => {
    if (!changed) editing.settle(setup, fresh.saved)
  })
  const state = useMemo<EditorState>(
    () => ({
      editor,
      setup,
      change: editing.change,
      problems,
      refused,
      marked: places.marked,
      lookAt: places.lookAt,
      drawnOutputs: places.drawnOutputs,
    }),
    [editor, setup, editing.change, problems, refused, places.marked, places.lookAt, places.drawnOutputs],
  )
  const chosen = useMemo(() => nodesOf(setup), [setup])
  usePressedNode(places, (node) => {
    if (tab !== 'select' && !(tab === 'detail' && chosen.has(node))) replace({ tab: 'select' })
  })
  return (
    <EditorContext value={state}>
      <EditorHead
        post={post}
        editing={editing}
        onBlocked={warn}
        onRefused={() => replace({ tab: 'detail' })}
        refresh={refresh}
      />
      {saved && <AvailabilityNotice works={saved.works} detailed />}
      {!editor.hasPrompt ? (
        <EmptyState
          icon="workflow"
          title={t('noPrompt.title')}
          text={t('noPrompt.text')}
          action={<ButtonLink to={post}>{t('noPrompt.action')}</ButtonLink>}
        />
      ) : (
        <div className={styles.body}>
          <div className={styles.side}>
            <GraphPanel chosen={chosen} places={places} turn={refresh.turn} />
            <PreviewPanel preview={preview} editing={editing} slot={slot} />
          </div>
          <div className={styles.main} ref={places.lists}>
            <Tabs
              label={t('title')}
              tabs={TABS.map((key) => ({ key, title: t(`tabs.${key}`) }))}
              active={tab}
              onChange={(next) => replace({ tab: next })}
            >
              {(tab === 'select' || tab === 'detail') && <Proposal />}
              <PartBoundary key={tab}>
                <Suspense fallback={<PageSpinner />}>
                  {tab === 'select' && <SelectTab />}
                  {tab === 'detail' && <DetailTab pressed={places.pressed} />}
                  {tab === 'share' && <ShareTab api={saved?._id ?? null} />}
                  {tab === 'webhook' && <WebhookTab api={saved?._id ?? null} />}
                  {tab === 'dataPreview' && <DataPreviewTab form={preview.data?.rjsf ?? saved?.rjsf ?? null} />}
                </Suspense>
              </PartBoundary>
            </Tabs>
          </div>
        </div>
      )}
      <div className={styles.result} ref={setSlot} />
      <ProblemDialog block={warning} problems={problems} onClose={() => setWarning(null)} />
    </EditorContext>
  )
}

/** A node pressed in the graph, or to be shown in it. `turn` distinguishes two presses of one node. */
export type NodeFocus = { node: string; turn: number } | null

function WebhookTab({ api }: { api: string | null }) {
  const { t } = useTranslation('workflowApi')
  if (api === null) return <EmptyState icon="link" title={t('webhook.first')} text={t('webhook.firstText')} />
  return <Webhooks api={api} />
}

/** The focused node in the lists and in the graph, which is a frame with the node editor or our own drawing. */
function useFocusedNodes() {
  const [look, setLook] = useState<NodeFocus>(null)
  const [pressed, setPressed] = useState<NodeFocus>(null)
  const [marked, setMarked] = useState<string | null>(null)
  const [drawnOutputs, setDrawnOutputs] = useState<readonly OutputNodeDef[]>(NO_OUTPUTS)
  const lists = useRef<HTMLDivElement>(null)
  const frame = useRef<GraphBridge | null>(null)
  const focused = useRef<string | null>(null)
  const drawing = useMemo(
    () => localBridge((node) => setLook((before) => ({ node, turn: (before?.turn ?? 0) + 1 }))),
    [],
  )
  const mark = useCallback((node: string) => {
    focused.current = node
    setMarked(node)
  }, [])
  const lookAt = useCallback(
    (node: string) => {
      mark(node)
      drawing.moveToNode(node)
      frame.current?.moveToNode(node)
    },
    [drawing, mark],
  )
  const receive = useCallback(
    (message: FrameMessage) => {
      if (message.type === 'outputNodeDefs') setDrawnOutputs(message.nodes)
      if (message.type !== 'nodeClick') return
      mark(message.nodeId)
      setPressed((before) => ({ node: message.nodeId, turn: (before?.turn ?? 0) + 1 }))
    },
    [mark],
  )
  /** The frame shows its graph now, and the node that is focused already. */
  const connect = useCallback((bridge: GraphBridge) => {
    frame.current = bridge
    if (focused.current !== null) bridge.moveToNode(focused.current)
  }, [])
  useEffect(() => drawing.listen(receive), [drawing, receive])
  return { look, pressed, marked, lists, drawing, lookAt, receive, connect, drawnOutputs }
}

export type FocusedNodes = ReturnType<typeof useFocusedNodes>

/** Opens the part that contains a pressed node and scrolls to it. */
function usePressedNode({ pressed, lists }: FocusedNodes, goThere: (node: string) => void): void {
  const latest = useRef(goThere)
  latest.current = goThere
  useEffect(() => {
    if (!pressed) return
    latest.current(pressed.node)
    // The part may have to be rendered first.
    const timer = setTimeout(() => {
      const place = lists.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(pressed.node)}"]`)
      place?.scrollIntoView({ block: 'center' })
      place?.focus({ preventScroll: true })
    }, 60)
    return () => clearTimeout(timer)
  }, [pressed, lists])
}

/** Reloads the graph and the workers' node definitions. */
function useRefresh(workflow: string, refetch: ApiEditorProps['refetch'], done: (editor: Editor) => void) {
  const { t } = useTranslation('workflowApi')
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [turn, setTurn] = useState(0)
  const go = async () => {
    if (busy) return
    setBusy(true)
    const graph = client.fetchQuery({ ...workflowGraphQuery(workflow, true), staleTime: 0 })
    const [answer, drawn] = await Promise.allSettled([refetch(), graph])
    setBusy(false)
    if (answer.status === 'rejected' || !answer.value.data || answer.value.isError || drawn.status === 'rejected') {
      toast.error(t('refreshFailed'), answer.status === 'fulfilled' ? answer.value.error : answer.reason)
      return
    }
    void client.invalidateQueries({ queryKey: keys.workflowApi.preview })
    done(answer.value.data)
    setTurn((before) => before + 1)
    toast.brief(t('refreshed'))
  }
  return { go: () => void go(), busy, turn }
}

export type Refresh = ReturnType<typeof useRefresh>

/** Calls `found` when there are new problems. */
function useFreshProblems(problems: readonly HealthProblem[], found: () => void): void {
  const known = useRef<readonly HealthProblem[]>([])
  const latest = useRef(found)
  latest.current = found
  useEffect(() => {
    const fresh = freshProblems(known.current, problems)
    known.current = problems
    if (fresh.length > 0) latest.current()
  }, [problems])
}
