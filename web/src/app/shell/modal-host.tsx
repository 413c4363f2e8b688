import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { useLoginDialog } from '@/features/auth'
import { NoticeText } from '@/features/notifications'
import { type Language, withTexts } from '@/shared/i18n'
import { chunk } from '@/shared/lib/chunk'
import { Dialog } from '@/shared/ui/dialog'
import { lazyPart } from '@/shared/ui/lazy-part'
import { closeModal, type ModalId, type Modals, openModal, useModal } from '@/shared/ui/modals'
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
const ShortcutList = lazyPart(withTexts(chunk(() => import('./shortcut-list'))))

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

type LayerProps<I extends ModalId> = {
  id: I
  title: string
  width?: number
  children: (modal: Modals[I], close: () => void) => ReactNode
}

/** A dialog whose content is loaded when it opens. */
function Layer<I extends ModalId>({ id, title, width = 440, children }: LayerProps<I>) {
  const modal = useModal(id)
  const close = closer(id)
  return (
    <Dialog open={modal !== undefined} onClose={close} title={title} width={width}>
      <Suspense fallback={<PageSpinner />}>{modal && children(modal, close)}</Suspense>
    </Dialog>
  )
}

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
  const { unseen } = useUnseen()
  const urgent = unseen.some((one) => one.opens)
  useEffect(() => {
    if (urgent) openModal('announcements', { unseenOnly: true })
  }, [urgent])
  return (
    <Layer id="announcements" title={t('announcements.title')} width={560}>
      {({ unseenOnly }, close) => <AnnouncementList unseenOnly={unseenOnly ?? false} onClose={close} />}
    </Layer>
  )
}

function GuidebookLayer() {
  const { t } = useTranslation()
  return (
    <Layer id="guidebook" title={t('nav.guidebook')} width={720}>
      {({ chapter }, close) => <Guidebook first={chapter ?? 'run'} onGo={close} />}
    </Layer>
  )
}

function ShortcutsLayer() {
  const { t } = useTranslation()
  return (
    <Layer id="shortcuts" title={t('shortcuts.title')}>
      {() => <ShortcutList />}
    </Layer>
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
  return (
    <Layer id="useAsInput" title={t('asInput.title')} width={560}>
      {({ picture }, close) => <InputChooser picture={picture} onClose={close} />}
    </Layer>
  )
}

function ReportLayer() {
  const { t } = useTranslation()
  return (
    <Layer id="report" title={t('report')} width={520}>
      {({ kind, id }, close) => <ReportForm key={id} kind={kind} id={id} onClose={close} />}
    </Layer>
  )
}

function NoCreditLayer() {
  const { t } = useTranslation('miniApps')
  return (
    <Layer id="noCredit" title={t('noCredit.title')}>
      {(_, close) => <NoCreditChoice onLater={close} />}
    </Layer>
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
