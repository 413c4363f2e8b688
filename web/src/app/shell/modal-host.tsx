import { Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { useLoginDialog } from '@/features/auth'
import { NoticeText } from '@/features/notifications'
import { withTexts } from '@/shared/i18n'
import { chunk } from '@/shared/lib/chunk'
import { Dialog } from '@/shared/ui/dialog'
import { lazyPart } from '@/shared/ui/lazy-part'
import { closeModal, type ModalId, openModal, useModal } from '@/shared/ui/modals'
import { PageSpinner, Spinner } from '@/shared/ui/spinner'
import { useUnseen } from './announcements'
import styles from './modal-host.module.css'
import { useWorkflowAlert } from './workflow-alert'

const AnnouncementList = lazyPart(chunk(() => import('./announcement-list')))
const Guidebook = lazyPart(withTexts(chunk(() => import('./guidebook'))))
const InputChooser = lazyPart(chunk(() => import('@/features/mini-apps/components/input-chooser')))
const PublishForm = lazyPart(chunk(() => import('@/features/gallery/components/publish-form')))
const ReportForm = lazyPart(chunk(() => import('@/features/moderation/components/report-form')))
const ShortcutList = lazyPart(chunk(() => import('./shortcut-list')))

/** Shows the layers that are open; see `shared/ui/modals.ts`. */
export function ModalHost() {
  return (
    <>
      <LoginDoor />
      <AnnouncementsLayer />
      <GuidebookLayer />
      <ShortcutsLayer />
      <NoticeLayer />
      <WorkflowAlertLayer />
      <PublishLayer />
      <InputLayer />
      <ReportLayer />
      <LoadingLayer />
    </>
  )
}

const closer = (id: ModalId) => () => closeModal(id)

/** Hands a wish for the login modal on to the one that the auth feature keeps. */
function LoginDoor() {
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
  const told = useModal('announcements')
  const { unseen } = useUnseen()
  const urgent = unseen.some((one) => one.opens)
  useEffect(() => {
    if (urgent) openModal('announcements', { unseenOnly: true })
  }, [urgent])
  return (
    <Dialog open={told !== undefined} onClose={closer('announcements')} title={t('announcements.title')} width={560}>
      <Suspense fallback={<PageSpinner />}>
        {told && <AnnouncementList unseenOnly={told.unseenOnly ?? false} onClose={closer('announcements')} />}
      </Suspense>
    </Dialog>
  )
}

function GuidebookLayer() {
  const { t } = useTranslation('guidebook')
  const told = useModal('guidebook')
  return (
    <Dialog open={told !== undefined} onClose={closer('guidebook')} title={t('title')} width={720}>
      <Suspense fallback={<PageSpinner />}>
        {told && <Guidebook first={told.chapter ?? 'run'} onGo={closer('guidebook')} />}
      </Suspense>
    </Dialog>
  )
}

function ShortcutsLayer() {
  const { t } = useTranslation()
  const told = useModal('shortcuts')
  return (
    <Dialog open={told !== undefined} onClose={closer('shortcuts')} title={t('shortcuts.title')}>
      <Suspense fallback={<PageSpinner />}>{told && <ShortcutList />}</Suspense>
    </Dialog>
  )
}

function NoticeLayer() {
  const told = useModal('notice')
  const close = closer('notice')
  return (
    <Dialog open={told !== undefined} onClose={close} title={told?.title ?? ''} width={560}>
      <Suspense fallback={<PageSpinner />}>
        {told && <NoticeText html={told.html} at={told.at} to={told.to} onGo={close} />}
      </Suspense>
    </Dialog>
  )
}

/** Told to whoever opens a workflow, or the mini app on one, that does not work for the time being. */
function WorkflowAlertLayer() {
  const told = useModal('workflowAlert')
  const { pathname } = useLocation()
  const alert = useWorkflowAlert(pathname)
  const named = alert !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: every address that is named tells anew.
  useEffect(() => {
    if (named) openModal('workflowAlert', {})
    return closer('workflowAlert')
  }, [named, pathname])
  return (
    <Dialog open={told !== undefined && named} onClose={closer('workflowAlert')} title={alert?.title ?? ''}>
      <p className={styles.text}>{alert?.text}</p>
    </Dialog>
  )
}

function PublishLayer() {
  const { t } = useTranslation('gallery')
  const told = useModal('publish')
  const title = t('publishing.title', { count: told?.pictures.length ?? 1 })
  return (
    <Dialog open={told !== undefined} onClose={closer('publish')} title={title} width={520}>
      <Suspense fallback={<PageSpinner />}>
        {told && <PublishForm pictures={told.pictures} onDone={told.onDone} onClose={closer('publish')} />}
      </Suspense>
    </Dialog>
  )
}

function InputLayer() {
  const { t } = useTranslation('miniApps')
  const told = useModal('useAsInput')
  return (
    <Dialog open={told !== undefined} onClose={closer('useAsInput')} title={t('asInput.title')} width={560}>
      <Suspense fallback={<PageSpinner />}>
        {told && <InputChooser picture={told.picture} onClose={closer('useAsInput')} />}
      </Suspense>
    </Dialog>
  )
}

function ReportLayer() {
  const { t } = useTranslation()
  const told = useModal('report')
  return (
    <Dialog open={told !== undefined} onClose={closer('report')} title={t('report')} width={520}>
      <Suspense fallback={<PageSpinner />}>
        {told && <ReportForm key={told.id} kind={told.kind} id={told.id} onClose={closer('report')} />}
      </Suspense>
    </Dialog>
  )
}

/** Holds the page while it is about to change as a whole: signing out, another language. */
function LoadingLayer() {
  const { t } = useTranslation()
  const told = useModal('loading')
  if (!told) return null
  return (
    <div className={styles.loading} role="status">
      <Spinner size={50} />
      <p>{told.text ?? t('loading')}</p>
    </div>
  )
}
