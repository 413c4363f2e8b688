import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { useRequireUser, useUser } from '@/features/auth'
import type { Workflow } from '@/shared/api/types'
import { copyText } from '@/shared/lib/clipboard'
import { download } from '@/shared/lib/download'
import { paths } from '@/shared/lib/paths'
import { useTranslated } from '@/shared/lib/translated'
import { useConfirm } from '@/shared/ui/dialog'
import { openModal } from '@/shared/ui/modals'
import { toast } from '@/shared/ui/toast'
import { countLaunch, downloadUrl, useDeleteWorkflow, useLike, useSetFlags } from './api'
import { isAdmin, isOwn } from './model'

/** Whether the address begins with /admin and the user is an admin. */
function useAdminMode(): boolean {
  const user = useUser()
  const { pathname } = useLocation()
  return isAdmin(user) && pathname.startsWith('/admin')
}

/** All actions on a workflow, with confirmations and notices. */
export function useWorkflowActions(workflow: Workflow, onDeleted?: () => void) {
  const { t } = useTranslation('workflows')
  const user = useUser()
  const admin = isAdmin(user)
  const own = isOwn(workflow, user)
  const adminMode = useAdminMode()
  const asUser = useRequireUser()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const confirm = useConfirm()
  const like = useLike(() => t('requestFailed'))
  const flags = useSetFlags()
  const remove = useDeleteWorkflow()
  const id = workflow._id
  const { name } = useTranslated()(workflow)

  const failed = (error: unknown) => toast.error(t('requestFailed'), error)
  const notChanged = (error: unknown) => toast.error(t('settingsNotChanged'), error)
  const detail = () => (adminMode ? paths.admin.workflow(id) : paths.workflow(id))

  const setPrivate = async (isPrivate: boolean) => {
    const question = { title: t('unpublish.title', { name }), action: t('actions.unpublish') }
    if (isPrivate && !(await confirm({ ...question, text: own ? t('unpublish.text') : t('unpublish.othersText') })))
      return
    flags.mutate(
      { id, flags: { isPrivate } },
      { onSuccess: () => toast.success(t(isPrivate ? 'unpublished' : 'published')), onError: failed },
    )
  }
  const drop = async () => {
    const yes = await confirm({
      title: t('remove.title', { name }),
      text: t('remove.text'),
      action: t('actions.delete'),
      danger: true,
    })
    if (!yes) return
    remove.mutate(id, {
      onSuccess: () => {
        toast.success(t('deleted'))
        onDeleted?.()
      },
      onError: failed,
    })
  }

  return {
    user,
    own,
    admin,
    adminMode,
    /** Whether the owner's entries are offered: to the owner, and to admins in admin mode. */
    mayManage: own || adminMode,
    busy: flags.isPending || remove.isPending,
    like: () => like({ id, on: !workflow.isLiked }),
    share: () => {
      const address = new URL(paths.workflow(id), window.location.origin).href
      copyText(address)
        .then(() => toast.success(t('linkCopied')))
        .catch(() => toast.error(t('linkNotCopied')))
    },
    /** A draft is completed on its edit page before it is published. */
    publish: () => void navigate(paths.editWorkflow(id, true)),
    hide: () => void setPrivate(true),
    edit: () => void navigate(paths.editWorkflow(id)),
    api: () => void navigate(adminMode ? paths.admin.workflowApi(id) : paths.workflowApi(id)),
    drop: () => void drop(),
    /** Admins publish at once, as only the owner can complete a post. Making it private asks first. */
    setPrivate: (isPrivate: boolean) => void setPrivate(isPrivate),
    setNsfw: (isNsfw: boolean) =>
      flags.mutate(
        { id, flags: { isNsfw } },
        { onSuccess: () => toast.success(t('settingsChanged')), onError: notChanged },
      ),
    setBasic: (isBasic: boolean) =>
      flags.mutate(
        { id, flags: { isBasic } },
        { onSuccess: () => toast.success(t('settingsChanged')), onError: notChanged },
      ),
    setKind: (kind: string) =>
      flags.mutate(
        { id, flags: { kind } },
        { onSuccess: () => toast.success(t('settingsChanged')), onError: notChanged },
      ),
    report: () => asUser(() => openModal('report', { kind: 'Workflow', id })),
    reportPicture: (picture: string) => asUser(() => openModal('report', { kind: 'Asset', id: picture })),
    save: () => {
      download(downloadUrl(id, Boolean(user)), `${name}.json`).catch((error: unknown) =>
        toast.error(error instanceof Error ? error.message : t('requestFailed'), error),
      )
    },
    openEditor: () => asUser(() => void navigate(paths.editor({ flow: id }))),
    /** Runs the mini app, or opens the graph in the editor where there is none. */
    run: () => {
      countLaunch(id, admin)
      if (!workflow.workflowApi) return asUser(() => void navigate(paths.editor({ flow: id })))
      // On the page itself it replaces the history entry, so that going back leaves the page.
      void navigate(`${detail()}#run`, { replace: pathname === detail() })
    },
    detail,
    asUser,
  }
}

export type Actions = ReturnType<typeof useWorkflowActions>
