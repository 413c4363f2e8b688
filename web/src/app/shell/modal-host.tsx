import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { useLoginDialog } from '@/features/auth'
import { NoticeText } from '@/features/notifications'
import { type Language, withTexts } from '@/shared/i18n'
import { chunk } from '@/shared/lib/chunk'
import { Dialog } from '@/shared/ui/dialog'
import { lazyPart } from '@/shared/ui/lazy-part'
import { closeModal, type ModalId, openModal, useModal } from '@/shared/ui/modals'
import { PageSpinner, Spinner } from '@/shared/ui/spinner'
import { announcementsQuery, useUnseen } from './announcements'
import styles from './modal-host.module.css'

const AnnouncementList = lazyPart(chunk(() => import('./announcement-list')))
const EditorLayers = lazyPart(withTexts(chunk(() => import('@/features/editor/components/editor-layers'))))
const Guidebook = lazyPart(withTexts(chunk(() => import('./guidebook'))))
const InputChooser = lazyPart(chunk(() => import('@/features/mini-apps/components/input-chooser')))
const NoCreditChoice = lazyPart(chunk(() => import('@/features/mini-apps/components/no-credit-choice')))
const PublishForm = lazyPart(chunk(() => import('@/features/gallery/components/publish-form')))
const ReportForm = lazyPart(chunk(() => import('@/features/moderation/components/report-form')))
const ShortcutList = lazyPart(chunk(() => import('./shortcut-list')))

/** Renders the open layers; see `shared/ui/modals.ts`. */
export function ModalHost() {
  return (
    <>
      <LoginBridge />
      <AnnouncementsLayer />
      <GuidebookLayer />
      <ShortcutsLayer />
      <NoticeLayer />
      <WorkflowAlertLayer />
      <PublishLayer />
      <InputLayer />
      <ReportLayer />
      <NoCreditLayer />
      <LoadingLayer />
      <EditorLayer />
    </>
  )
}

const closer = (id: ModalId) => () => closeModal(id)

/** Forwards requests for the login modal to the auth feature. */
function LoginBridge() {
  const wish = useModal('login')
  const openLogin = useLoginDialog()
  useEffect(() => {
    if (!wish) return
    closeModal('login')
    openLogin(wish.mode)
  }, [wish, openLogin])
  return null
}

function AnnouncementsLayer() {
  const { t } = useTranslation()
  const modal = useModal('announcements')
  const { unseen } = useUnseen()
  const urgent = unseen.some((one) => one.opens)
  useEffect(() => {
    if (urgent) openModal('announcements', { unseenOnly: true })
  }, [urgent])
  return (
    <Dialog open={modal !== undefined} onClose={closer('announcements')} title={t('announcements.title')} width={560}>
      <Suspense fallback={<PageSpinner />}>
        {modal && <AnnouncementList unseenOnly={modal.unseenOnly ?? false} onClose={closer('announcements')} />}
      </Suspense>
    </Dialog>
  )
}

function GuidebookLayer() {
  const { t } = useTranslation()
  const modal = useModal('guidebook')
  return (
    <Dialog open={modal !== undefined} onClose={closer('guidebook')} title={t('nav.guidebook')} width={720}>
      <Suspense fallback={<PageSpinner />}>
        {modal && <Guidebook first={modal.chapter ?? 'run'} onGo={closer('guidebook')} />}
      </Suspense>
    </Dialog>
  )
}

function ShortcutsLayer() {
  const { t } = useTranslation()
  const modal = useModal('shortcuts')
  return (
    <Dialog open={modal !== undefined} onClose={closer('shortcuts')} title={t('shortcuts.title')}>
      <Suspense fallback={<PageSpinner />}>{modal && <ShortcutList />}</Suspense>
    </Dialog>
  )
}

function NoticeLayer() {
  const modal = useModal('notice')
  const close = closer('notice')
  return (
    <Dialog open={modal !== undefined} onClose={close} title={modal?.title ?? ''} width={560}>
      <Suspense fallback={<PageSpinner />}>
        {modal && <NoticeText html={modal.html} at={modal.at} to={modal.to} onGo={close} />}
      </Suspense>
    </Dialog>
  )
}

/** Warns when the opened workflow, or a mini app of it, currently does not work. */
function WorkflowAlertLayer() {
  const modal = useModal('workflowAlert')
  const { pathname } = useLocation()
  const alert = useWorkflowAlert(pathname)
  const named = alert !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: shows again on each navigation to such an address.
  useEffect(() => {
    if (named) openModal('workflowAlert', {})
    return closer('workflowAlert')
  }, [named, pathname])
  return (
    <Dialog open={modal !== undefined && named} onClose={closer('workflowAlert')} title={alert?.title ?? ''}>
      <p className={styles.text}>{alert?.text}</p>
    </Dialog>
  )
}

function PublishLayer() {
  const { t } = useTranslation('gallery')
  const modal = useModal('publish')
  const title = t('publishing.title', { count: modal?.pictures.length ?? 1 })
  return (
    <Dialog open={modal !== undefined} onClose={closer('publish')} title={title} width={520}>
      <Suspense fallback={<PageSpinner />}>
        {modal && <PublishForm pictures={modal.pictures} onDone={modal.onDone} onClose={closer('publish')} />}
      </Suspense>
    </Dialog>
  )
}

function InputLayer() {
  const { t } = useTranslation('miniApps')
  const modal = useModal('useAsInput')
  return (
    <Dialog open={modal !== undefined} onClose={closer('useAsInput')} title={t('asInput.title')} width={560}>
      <Suspense fallback={<PageSpinner />}>
        {modal && <InputChooser picture={modal.picture} onClose={closer('useAsInput')} />}
      </Suspense>
    </Dialog>
  )
}

function ReportLayer() {
  const { t } = useTranslation()
  const modal = useModal('report')
  return (
    <Dialog open={modal !== undefined} onClose={closer('report')} title={t('report')} width={520}>
      <Suspense fallback={<PageSpinner />}>
        {modal && <ReportForm key={modal.id} kind={modal.kind} id={modal.id} onClose={closer('report')} />}
      </Suspense>
    </Dialog>
  )
}

function NoCreditLayer() {
  const { t } = useTranslation('miniApps')
  const modal = useModal('noCredit')
  return (
    <Dialog open={modal !== undefined} onClose={closer('noCredit')} title={t('noCredit.title')}>
      <Suspense fallback={<PageSpinner />}>{modal && <NoCreditChoice onLater={closer('noCredit')} />}</Suspense>
    </Dialog>
  )
}

/** Blocks the page while it is about to reload: signing out, or another language. */
function LoadingLayer() {
  const { t } = useTranslation()
  const modal = useModal('loading')
  if (!modal) return null
  return (
    <div className={styles.loading} role="status">
      <Spinner size={50} />
      <p>{modal.text ?? t('loading')}</p>
    </div>
  )
}

function EditorLayer() {
  const failed = useModal('executionError')
  const exported = useModal('exportWorkflow')
  const prompt = useModal('exportWorkflowApi')
  return <Suspense>{(failed ?? exported ?? prompt) && <EditorLayers />}</Suspense>
}

const workflowOf = (pathname: string): string | undefined =>
  /^\/(?:admin\/)?(?:workflows|basic-workflows|easy-app)\/([^/]+)\/?$/.exec(pathname)?.[1]

/** The alert for the workflow at this address, in the user's language, if there is one. */
function useWorkflowAlert(pathname: string): { title: string; text: string } | undefined {
  const { i18n } = useTranslation()
  const alert = useQuery(announcementsQuery()).data?.workflowAlert
  const id = workflowOf(pathname)
  if (!alert || !id || !alert.workflows.includes(id)) return undefined
  const language = i18n.language as Language
  return { title: alert.title[language], text: alert.text[language] }
}
