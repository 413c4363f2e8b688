import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { userQuery, useUser } from '@/features/auth'
import { ImagePicker, NoCreditChoice } from '@/features/mini-apps'
import { useLeaveGuard, workflowQuery } from '@/features/workflows'
import { type EditorSource, editorAddress } from '@/shared/api/editor'
import type { Asset, WorkflowDraft } from '@/shared/api/types'
import { chunk } from '@/shared/lib/chunk'
import type { FrameMessage } from '@/shared/lib/frame-bridge'
import { paths } from '@/shared/lib/paths'
import { Button } from '@/shared/ui/button'
import { Dialog } from '@/shared/ui/dialog'
import { DialogLoadError } from '@/shared/ui/dialog-load-error'
import { lazyPart } from '@/shared/ui/lazy-part'
import type { MenuItem } from '@/shared/ui/menu'
import { openModal } from '@/shared/ui/modals'
import { PageSpinner } from '@/shared/ui/spinner'
import { EmptyState } from '@/shared/ui/states'
import { toast } from '@/shared/ui/toast'
import { savedGraph, useInsertedImage } from '../api'
import { useWithApp } from '../app-mode'
import { type Project, projectOf } from '../model'
import { useFileImport } from '../use-import'
import { useKeptRun } from '../use-kept-run'
import { type Saving, useSave } from '../use-save'
import { type EditorSession, useEditorSession } from '../use-session'
import styles from './editor.module.css'
import { EditorBar } from './editor-bar'
import { GraphPrice } from './graph-price'
import { AppOffer, DropHint, ImportField } from './import-parts'
import { MissingNotice } from './missing-notice'
import { NodeMask } from './node-mask'
import { ConflictDialog, RestoredNotice } from './notices'

const CopyForm = lazyPart(
  chunk(() => import('./copy-form')),
  DialogLoadError,
)
const RunStrip = lazyPart(chunk(() => import('./run-strip')))
const VersionsDialog = lazyPart(
  chunk(() => import('./versions-dialog')),
  DialogLoadError,
)

type WorkspaceProps = {
  source: EditorSource
  project: Project
  draft: WorkflowDraft | null
  me: string
  /** Shown above the graph. */
  notice: ReactNode
  /** The address of the project changes; the page stays. */
  onAddress: (flow: string | null) => void
  /** Whether this query of the page's address is of another project. */
  isOther: (search: string) => boolean
  /** Reads the project again, and loads the frame again. */
  onReload: () => void
}

type Layer = 'copy' | 'versions' | 'pictures' | 'credit' | null

/** The editor with its bar, the latest run, and the dialogs. */
export function EditorWorkspace(props: WorkspaceProps) {
  const { source, project: opened, draft, me, notice, onAddress, isOther, onReload } = props
  const { t } = useTranslation('nodeEditor')
  const navigate = useNavigate()
  const client = useQueryClient()
  const user = useUser()
  const [masking, setMasking] = useState<{ nodeId: string; value: string } | null>(null)
  const [layer, setLayer] = useState<Layer>(null)
  const read = useCallback(
    async (flow: string) => projectOf(await client.fetchQuery({ ...workflowQuery(flow, true), staleTime: 0 }), me),
    [client, me],
  )
  const onMessage = (message: FrameMessage) => {
    if (message.type === 'saveRequested') void saving.save()
    if (message.type === 'queued' && message.promptId) latest.begin(message.promptId)
    if (message.type === 'noCredits') setLayer('credit')
    if (message.type === 'openBilling') void navigate(paths.account('credits'))
    if (message.type === 'unauthorized' && user) void client.invalidateQueries(userQuery())
    if (message.type === 'loadFailed') toast.error(t('loadFailed'))
    if (message.type === 'maskRequested') drawMask(message)
  }
  const drawMask = ({ nodeId, value }: { nodeId: string; value: string | null }) => {
    if (value) setMasking({ nodeId, value })
    else toast.info(t(value === null ? 'maskSelect' : 'maskNeedsImage'))
  }
  const session = useEditorSession({
    project: opened,
    draft,
    untitled: t('untitled'),
    read,
    onAddress,
    onRefused: (error) => toast.error(t('draft.storeFailed'), error),
    onReload,
    onMessage,
  })
  const { project, bridge, ready } = session
  const latest = useKeptRun(me, project, !(source.new || source.image || source.job))
  const saving = useSave(session, {
    onCopy: () => setLayer('copy'),
    onSaved: ({ _id }, of) => latest.settle(of, _id),
  })
  const { run } = latest
  useCredits(session, user?.credits.available)
  useSaveKey(ready, saving)
  useSignedInAgain(session, Boolean(user))
  const show = useCallback((nodeId: string) => bridge.moveToNode(nodeId), [bridge])
  const leave = useLeave(session, saving, isOther)
  const imported = useFileImport(session)
  const field = useRef<HTMLInputElement>(null)
  const items = useItems(session, setLayer, {
    onImport: () => field.current?.click(),
    onMakeApp: () => void leave((flow) => paths.workflowApi(flow)),
  })
  return (
    <div className={styles.page}>
      <EditorBar
        name={project.name}
        fixed={!project.own}
        state={stateOf(session)}
        busy={saving.busy}
        disabled={!ready}
        onRename={saving.rename}
        onSave={() => void saving.save()}
        onPublish={() => void leave((flow) => paths.editWorkflow(flow, true))}
        items={items}
        price={<GraphPrice bridge={bridge} />}
      />
      <div>
        {notice}
        {session.restored && (
          <RestoredNotice
            at={session.restored}
            onDiscard={() => {
              loadSaved(session, read).catch((error: unknown) => toast.error(t('draft.discardFailed'), error))
            }}
          />
        )}
        <MissingNotice bridge={bridge} />
        {imported.app && (
          <AppOffer
            app={imported.app}
            onMake={() => void leave((flow) => paths.workflowApi(flow, true))}
            onDismiss={imported.dismiss}
          />
        )}
        <ImportField field={field} onFile={imported.take} />
      </div>
      <div className={styles.stage}>
        <iframe
          ref={session.frame}
          className={styles.frame}
          src={editorAddress(source, false)}
          title={t('title')}
          allow="clipboard-read; clipboard-write; fullscreen"
        />
        {!ready && <Starting onReload={onReload} />}
        {imported.over && <DropHint />}
      </div>
      <Suspense>
        {masking && <NodeMask {...masking} bridge={bridge} onClose={() => setMasking(null)} />}
        {run && <RunStrip key={run} id={run} onShow={show} onClose={latest.close} continued={run === latest.keptRun} />}
      </Suspense>
      <Layers session={session} saving={saving} read={read} layer={layer} onLayer={setLayer} />
    </div>
  )
}

/** Until a frame that has not started is said to have failed. It may start later all the same. */
const START_MS = 30_000

function Starting({ onReload }: { onReload: () => void }) {
  const { t } = useTranslation('nodeEditor')
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), START_MS)
    return () => clearTimeout(timer)
  }, [])
  const action = <Button onClick={onReload}>{t('late.action')}</Button>
  return (
    <div className={styles.loading} aria-busy={!late}>
      {late ? (
        <EmptyState icon="warning" tone="error" title={t('late.title')} text={t('late.text')} action={action} />
      ) : (
        <PageSpinner />
      )}
    </div>
  )
}

/**
 * Asks before the project is left with unsaved changes. The returned function goes to a page of the workflow, which is
 * saved first.
 */
function useLeave(session: EditorSession, saving: Saving, isOther: (search: string) => boolean) {
  const { t } = useTranslation('nodeEditor')
  const navigate = useNavigate()
  // The guard sees the saved graph with the next render only.
  const isSaved = useRef(false)
  useLeaveGuard(session.unsaved || session.pending, {
    leaves: (from, to) => !isSaved.current && (from.pathname !== to.pathname || isOther(to.search)),
    look: async () => {
      const { unsaved, drafted } = await session.look()
      return unsaved ? t(drafted ? 'leave' : 'leaveLost') : null
    },
    text: t('leaveLost'),
  })
  return async (address: (flow: string) => string) => {
    const seen = await session.look().catch(() => null)
    const isOpen = seen !== null && !seen.unsaved && seen.project.own
    const flow = (isOpen && seen.project.flow) || (await saving.save())?._id
    if (!flow) return
    isSaved.current = true
    void navigate(address(flow))
  }
}

/** Ctrl+S outside the frame. The editor itself reports it inside. */
function useSaveKey(ready: boolean, saving: Saving): void {
  const latest = useRef(saving)
  latest.current = saving
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      if (!ready || event.repeat || document.querySelector('[aria-modal=true]')) return
      void latest.current.save()
    }
    document.addEventListener('keydown', keys)
    return () => document.removeEventListener('keydown', keys)
  }, [ready])
}

/** Stores the draft that could not be stored while the session had ended. */
function useSignedInAgain({ ready, look }: EditorSession, signedIn: boolean): void {
  const before = useRef(signedIn)
  useEffect(() => {
    if (ready && signedIn && !before.current) void look().catch(() => undefined)
    before.current = signedIn
  }, [ready, look, signedIn])
}

function stateOf({ ready, unsaved, project }: EditorSession) {
  if (!ready) return 'loading'
  if (unsaved) return 'unsaved'
  if (project.flow === null) return 'new'
  return project.own ? 'saved' : 'others'
}

/** Deletes the draft and loads the latest saved graph, or an empty one. */
async function loadSaved({ project, replace }: EditorSession, read: (flow: string) => Promise<Project>): Promise<void> {
  if (project.flow === null) return replace(EMPTY, project)
  // The version first: it must not be later than the graph.
  const { version } = await read(project.flow)
  await replace(await savedGraph(project.flow), { ...project, version })
}
const EMPTY =
  '{"last_node_id":0,"last_link_id":0,"nodes":[],"links":[],"groups":[],"config":{},"extra":{},"version":0.4}'

type Choices = { onImport: () => void; onMakeApp: () => void }

function useItems(session: EditorSession, setLayer: (layer: Layer) => void, choices: Choices): MenuItem[] {
  const { t } = useTranslation('nodeEditor')
  const withApp = useWithApp()
  const { project, ready } = session
  const exporting = (id: 'exportWorkflow' | 'exportWorkflowApi') => () => {
    session
      .current()
      .then(async ({ graph, project: { flow, name } }) => {
        const text = id === 'exportWorkflow' ? graph.workflow : graph.prompt
        if (text === null) throw new Error('the editor sent no graph')
        const app = id === 'exportWorkflow' ? await withApp(flow, text) : null
        openModal(id, { name: app === null ? name : `${name}.app`, text: app ?? text })
      })
      .catch((error: unknown) => toast.error(t('export.failed'), error))
  }
  if (!ready) return []
  const items: (MenuItem | false)[] = [
    { key: 'import', icon: 'upload', title: t('import.action'), onSelect: choices.onImport },
    { key: 'copy', icon: 'copy', title: t('saveCopy'), onSelect: () => setLayer('copy') },
    project.own &&
      project.flow !== null && {
        key: 'versions',
        icon: 'clock',
        title: t('versions.title'),
        onSelect: () => setLayer('versions'),
      },
    { key: 'export', icon: 'download', title: t('export.exportWorkflow'), onSelect: exporting('exportWorkflow') },
    {
      key: 'exportApi',
      icon: 'download',
      title: t('export.exportWorkflowApi'),
      onSelect: exporting('exportWorkflowApi'),
    },
    { key: 'app', icon: 'bolt', title: t('makeApp'), onSelect: choices.onMakeApp },
    { key: 'pictures', icon: 'picture', title: t('pictures'), onSelect: () => setLayer('pictures') },
    { key: 'mask', icon: 'brush', title: t('drawMask'), onSelect: () => session.bridge.send({ type: 'drawMask' }) },
  ]
  return items.filter((item): item is MenuItem => item !== false)
}

type LayersProps = {
  session: EditorSession
  saving: Saving
  read: (flow: string) => Promise<Project>
  layer: Layer
  onLayer: (layer: Layer) => void
}

function Layers({ session, saving, read, layer, onLayer }: LayersProps) {
  const { t } = useTranslation('nodeEditor')
  const insert = useInsertedImage()
  const { project, conflict } = session
  const close = () => onLayer(null)
  const failed = (error: unknown) => toast.error(t('loadFailed'), error)
  const pick = (asset: Asset) => {
    close()
    insert.mutate(asset, {
      onSuccess: (name) => session.bridge.send({ type: 'insertImage', name }),
      onError: (error) => toast.error(t('insertFailed'), error),
    })
  }
  const mine = async () => {
    if (conflict !== 'saved' || project.flow === null) return session.keepMine()
    const { version } = await read(project.flow)
    session.setConflict(null)
    await saving.save(version ?? undefined)
  }
  const other = () => (conflict === 'saved' ? loadSaved(session, read) : session.takeOther())
  return (
    <Suspense>
      {layer === 'copy' && <CopyForm name={project.name} own={project.own} saving={saving} onClose={close} />}
      {layer === 'versions' && project.flow !== null && (
        <VersionsDialog
          flow={project.flow}
          version={project.version}
          unsaved={session.unsaved}
          onRestored={({ _id, version }) => {
            const show = async () => session.replace(await savedGraph(_id), { ...project, version })
            show().catch(failed)
          }}
          onClose={close}
        />
      )}
      {layer === 'pictures' && <ImagePicker kind="image" title={t('pictures')} onClose={close} onPick={pick} />}
      {layer === 'credit' && (
        <Dialog open onClose={close} title={t('noCredit')}>
          <NoCreditChoice onLater={close} />
        </Dialog>
      )}
      {conflict && layer !== 'copy' && (
        <ConflictDialog
          kind={conflict}
          onMine={() => void mine().catch(failed)}
          onOther={() => void other().catch(failed)}
          onCopy={() => (project.flow === null ? void saving.save() : onLayer('copy'))}
          onClose={() => session.setConflict(null)}
        />
      )}
    </Suspense>
  )
}

/** The editor shows the balance too. */
function useCredits({ bridge, ready }: EditorSession, credits: number | undefined): void {
  useEffect(() => {
    if (ready && credits !== undefined) bridge.send({ type: 'credits', credits })
  }, [bridge, ready, credits])
}
