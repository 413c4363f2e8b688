import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { useAsUser, useUser } from '@/features/auth'
import type { Workflow } from '@/shared/api/types'
import { copyText } from '@/shared/lib/clipboard'
import { download } from '@/shared/lib/download'
import { paths } from '@/shared/lib/paths'
import { useWordsOf } from '@/shared/lib/words-of'
import { useConfirm } from '@/shared/ui/dialog'
import { openModal } from '@/shared/ui/modals'
import { useToast } from '@/shared/ui/toast'
import { countLaunch, downloadUrl, useDeleteWorkflow, useLike, useSetFlags } from './api'
import { isAdmin, isOwn } from './model'

/** Admin mode is on where the address begins with /admin, for admins. */
export function useAdminMode(): boolean {
  const user = useUser()
  const { pathname } = useLocation()
  return isAdmin(user) && pathname.startsWith('/admin')
}

/** Everything that somebody may do with a workflow, with its questions, its notices and its way back. */
export function useActions(workflow: Workflow, onDeleted?: () => void) {
  const { t } = useTranslation('workflows')
  const user = useUser()
  const admin = isAdmin(user)
  const own = isOwn(workflow, user)
  const adminMode = useAdminMode()
  const asUser = useAsUser()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const confirm = useConfirm()
  const toast = useToast()
  const like = useLike(() => t('requestFailed'))
  const flags = useSetFlags()
  const remove = useDeleteWorkflow()
  const id = workflow._id
  const { name } = useWordsOf()(workflow)

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
    /** Whether the owner's entries are offered: to the owner, and to admins who look after everything. */
    mayManage: own || adminMode,
    busy: flags.isPending || remove.isPending,
    like: () => like({ id, on: !workflow.isLiked }),
    share: () => {
      const address = new URL(paths.workflow(id), window.location.origin).href
      copyText(address)
        .then(() => toast.success(t('linkCopied')))
        .catch(() => toast.error(t('linkNotCopied')))
    },
    /** A draft is finished on its edit page before others see it. */
    publish: () => void navigate(paths.editWorkflow(id, true)),
    hide: () => void setPrivate(true),
    edit: () => void navigate(paths.editWorkflow(id)),
    /** Where its inputs and outputs become an API. */
    api: () => void navigate(adminMode ? paths.admin.workflowApi(id) : paths.workflowApi(id)),
    drop: () => void drop(),
    /** Admins show at once: what is missing is the owner's to add. Before they hide, they are asked. */
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
    report: () => asUser(() => openModal('report', { kind: 'Workflow', id })),
    reportPicture: (picture: string) => asUser(() => openModal('report', { kind: 'Asset', id: picture })),
    save: () => {
      download(downloadUrl(id, Boolean(user)), `${name}.json`).catch((error: unknown) =>
        toast.error(error instanceof Error ? error.message : t('requestFailed'), error),
      )
    },
    run: () => {
      countLaunch(id, admin)
      // On the page itself it is a move and no step: going back leaves the page.
      void navigate(`${detail()}#run`, { replace: pathname === detail() })
    },
    detail,
    asUser,
  }
}

export type Actions = ReturnType<typeof useActions>
