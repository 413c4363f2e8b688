import { useQuery } from '@tanstack/react-query'
import { Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { GuestState, useSession } from '@/features/auth'
import { workflowQuery } from '@/features/workflows'
import { type EditorSource, editorInstalledQuery } from '@/shared/api/editor'
import type { WorkflowDraft } from '@/shared/api/types'
import { chunk } from '@/shared/lib/chunk'
import { paths } from '@/shared/lib/paths'
import { useUrlParams } from '@/shared/lib/url-params'
import { EDITOR_WIDE, useMedia } from '@/shared/lib/use-media'
import { useTitle } from '@/shared/lib/use-title'
import { ButtonLink } from '@/shared/ui/button'
import { lazyPart } from '@/shared/ui/lazy-part'
import { Page } from '@/shared/ui/page'
import { PageError } from '@/shared/ui/page-error'
import { PageSpinner } from '@/shared/ui/spinner'
import { EmptyState } from '@/shared/ui/states'
import { toast } from '@/shared/ui/toast'
import { deleteDraft, draftQuery } from '../api'
import styles from '../components/editor.module.css'
import { EditorWorkspace } from '../components/editor-workspace'
import { OtherDraftNotice } from '../components/notices'
import { blankProject, EDITOR_PARAMS, type Project, projectOf, sourceOf } from '../model'

const Preview = lazyPart(chunk(() => import('../components/preview')))

/** The node editor. Guests see the read-only view of public graphs only; phones see a preview. */
export default function EditorPage() {
  const { t } = useTranslation('nodeEditor')
  const [query] = useUrlParams(EDITOR_PARAMS)
  const session = useSession()
  const wide = useMedia(EDITOR_WIDE)
  const source = sourceOf(query)
  const isView = query.readonly === 'true'
  useTitle(t('title'))
  // The user whose editor is open: it stays open in a narrower window, and hidden while the session has ended.
  const opened = useRef<string | null>(null)
  if (session.is === 'failed') return <PageError error={session.error} onRetry={session.retry} />
  if (session.is === 'unknown') return <PageSpinner />
  const me = session.is === 'user' ? session.user._id : null
  if (isView) opened.current = null
  else if (me !== null && opened.current !== me) opened.current = wide ? me : null
  if (isView || (me !== null && opened.current === null)) {
    return <ViewPage source={source} signedIn={me !== null} isView={isView} />
  }
  return (
    <>
      {me === null && (
        <Page title={t('title')}>
          <GuestState icon="workflow" title={t('guest.title')} text={t('guest.text')} />
        </Page>
      )}
      {opened.current !== null && (
        <div hidden={me === null}>
          <InstalledPage key={opened.current} me={opened.current} />
        </div>
      )}
    </>
  )
}

type ViewProps = { source: EditorSource; signedIn: boolean; isView: boolean }

/** The graph without editing: a read-only address, or a phone. */
function ViewPage({ source, signedIn, isView }: ViewProps) {
  const { t } = useTranslation('nodeEditor')
  const workflow = useQuery({ ...workflowQuery(source.flow ?? '', signedIn), enabled: source.flow !== undefined })
  const name = workflow.data?.name ?? t('untitled')
  const preview = (
    <Suspense fallback={<PageSpinner />}>
      <Preview source={source} name={name} signedIn={signedIn} />
    </Suspense>
  )
  if (isView) {
    return (
      <>
        <h1 className="visually-hidden">{t('preview', { name })}</h1>
        <div className={styles.readonly}>{preview}</div>
      </>
    )
  }
  if (!source.flow && !source.image && !source.job) {
    return (
      <Page title={t('title')}>
        <EmptyState
          icon="workflow"
          title={t('phone')}
          action={<ButtonLink to={paths.workflows()}>{t('browse')}</ButtonLink>}
        />
      </Page>
    )
  }
  return (
    <Page title={workflow.data?.name ?? t('title')} lead={t('phone')}>
      <div className={styles.preview}>{preview}</div>
    </Page>
  )
}

function InstalledPage({ me }: { me: string }) {
  const { t } = useTranslation('nodeEditor')
  const installed = useQuery(editorInstalledQuery())
  const open = useRef(false)
  open.current ||= installed.data === true
  // An open editor stays while all data is read again, such as after signing in again.
  if (open.current) return <OpenedPage me={me} />
  if (installed.isPending) return <PageSpinner />
  if (installed.isError) return <PageError error={installed.error} onRetry={() => void installed.refetch()} />
  return (
    <Page title={t('title')}>
      <EmptyState icon="workflow" title={t('missing.title')} text={t('missing.text')} />
    </Page>
  )
}

/** The project that the address opens. Addresses that the page itself writes keep the open project. */
function OpenedPage({ me }: { me: string }) {
  const navigate = useNavigate()
  const { search } = useLocation()
  const [query] = useUrlParams(EDITOR_PARAMS)
  const [opened, setOpened] = useState({ source: sourceOf(query), turn: 0 })
  const own = useRef(search)
  const open = useCallback((search: string) => {
    const source = sourceOf(EDITOR_PARAMS.read(new URLSearchParams(search)))
    setOpened(({ turn }) => ({ source, turn: turn + 1 }))
  }, [])
  useEffect(() => {
    if (own.current === search) return
    own.current = search
    open(search)
  }, [open, search])
  const onAddress = (flow: string | null) => {
    const address = paths.editor(flow === null ? {} : { flow })
    const next = new URL(address, window.location.origin).search
    if (next === own.current) return
    own.current = next
    void navigate(address, { replace: true })
  }
  return (
    <Loaded
      key={opened.turn}
      source={opened.source}
      me={me}
      onAddress={onAddress}
      isOther={(to) => to !== own.current}
      onReload={() => open(own.current)}
    />
  )
}

type LoadedProps = {
  source: EditorSource
  me: string
  onAddress: (flow: string | null) => void
  isOther: (search: string) => boolean
  onReload: () => void
}

/** Reads the workflow and the draft first: the version that the page knows must not be later than the frame's graph. */
function Loaded({ source, me, onAddress, isOther, onReload }: LoadedProps) {
  const { t } = useTranslation('nodeEditor')
  const navigate = useNavigate()
  const flow = source.flow ?? null
  const workflow = useQuery({
    ...workflowQuery(flow ?? '', true),
    enabled: flow !== null,
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
  const draft = useQuery({ ...draftQuery(flow), refetchOnWindowFocus: false })
  const [forgotten, setForgotten] = useState(false)
  // Read once: what is read later must not replace the open graph.
  const read = useRef<{ project: Project; draft: WorkflowDraft | null } | null>(null)
  // What another visit has cached may be saved by now.
  if (draft.isFetchedAfterMount && draft.data !== undefined && (flow === null || workflow.isFetchedAfterMount)) {
    const project = flow === null ? blankProject(t('untitled')) : workflow.data && projectOf(workflow.data, me)
    if (project) read.current ??= { project, draft: draft.data }
  }
  if (read.current === null) {
    if (workflow.isLoadingError) return <PageError error={workflow.error} onRetry={() => void workflow.refetch()} />
    if (draft.isLoadingError) return <PageError error={draft.error} onRetry={() => void draft.refetch()} />
    return <PageSpinner />
  }
  const { project, draft: kept } = read.current
  // Another project without a workflow is begun: the unsaved one stays until the user decides.
  const isFresh = Boolean(source.new || source.image || source.job)
  const other = isFresh && !forgotten ? kept : null
  const notice = other && (
    <OtherDraftNotice
      name={other.name}
      at={other.updatedAt}
      onOpen={() => void navigate(paths.editor())}
      onDelete={() => {
        deleteDraft(null).then(
          () => setForgotten(true),
          (error: unknown) => toast.error(t('draft.discardFailed'), error),
        )
      }}
    />
  )
  return (
    <EditorWorkspace
      source={source}
      project={project}
      draft={isFresh ? null : kept}
      me={me}
      notice={notice}
      onAddress={(flow) => {
        // The draft of new projects is this one's by now.
        if (flow === null) setForgotten(true)
        onAddress(flow)
      }}
      isOther={isOther}
      onReload={onReload}
    />
  )
}
