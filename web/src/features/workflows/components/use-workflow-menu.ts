import { useTranslation } from 'react-i18next'
import { useCanUnpublish } from '@/features/auth'
import type { Workflow } from '@/shared/api/types'
import type { MenuItem } from '@/shared/ui/menu'
import type { Actions } from '../use-workflow-actions'

/** The menu of a workflow. It repeats the overlay's actions, because phones have no hover. */
export function useWorkflowMenu(workflow: Workflow, actions: Actions, onCopy: () => void): MenuItem[] {
  const { t } = useTranslation('workflows')
  const { t: common } = useTranslation()
  const { own, admin, mayManage, adminMode } = actions
  const hiding = useCanUnpublish(mayManage && !workflow.isPrivate)
  const entries: (MenuItem | false)[] = [
    { key: 'run', icon: 'play', title: t('actions.run'), onSelect: actions.run },
    { key: 'editor', icon: 'workflow', title: t('actions.editor'), onSelect: actions.openEditor },
    !own && {
      key: 'like',
      icon: 'heart',
      title: t(workflow.isLiked ? 'actions.unlike' : 'actions.like'),
      onSelect: actions.like,
    },
    { key: 'share', icon: 'share', title: t('actions.share'), onSelect: actions.share },
    { key: 'copy', icon: 'copy', title: t('actions.copy'), onSelect: onCopy },
    { key: 'download', icon: 'download', title: t('actions.download'), onSelect: actions.save },
    (mayManage || admin) && {
      key: 'edit',
      icon: 'edit',
      title: t(own ? 'actions.edit' : 'actions.forceEdit'),
      onSelect: actions.edit,
    },
    (mayManage || admin) && {
      key: 'api',
      icon: 'bolt',
      title: t(own ? 'actions.api' : 'actions.apiSetup'),
      onSelect: actions.api,
    },
    mayManage &&
      workflow.isPrivate && {
        key: 'publish',
        icon: 'upload',
        title: t('actions.publish'),
        onSelect: adminMode ? () => actions.setPrivate(false) : actions.publish,
      },
    mayManage &&
      !workflow.isPrivate &&
      hiding.is === 'allowed' && {
        key: 'unpublish',
        icon: 'lock',
        title: t('actions.unpublish'),
        onSelect: actions.hide,
      },
    adminMode && {
      key: 'basic',
      icon: 'star',
      title: t(workflow.isBasic ? 'actions.notBasic' : 'actions.basic'),
      onSelect: () => actions.setBasic(!workflow.isBasic),
    },
    adminMode &&
      workflow.workflowApi !== null && {
        key: 'generator',
        icon: 'wand',
        title: t(workflow.kind === 'generator' ? 'actions.notGenerator' : 'actions.generator'),
        onSelect: () => actions.setKind(workflow.kind === 'generator' ? 'easyapp' : 'generator'),
      },
    !own && { key: 'report', icon: 'flag', title: common('report'), onSelect: actions.report },
    mayManage && { key: 'delete', icon: 'trash', title: t('actions.delete'), onSelect: actions.drop },
  ]
  return entries.filter((entry): entry is MenuItem => entry !== false)
}
