import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useRequireUser } from '@/features/auth'
import { useBlocking } from '@/features/blocks'
import type { Comment, User } from '@/shared/api/types'
import { copyText } from '@/shared/lib/clipboard'
import { usePersonName } from '@/shared/lib/person-name'
import { useConfirm } from '@/shared/ui/dialog'
import type { MenuItem } from '@/shared/ui/menu'
import { openModal } from '@/shared/ui/modals'
import { toast } from '@/shared/ui/toast'
import { useResultToasts } from '@/shared/ui/use-result-toasts'
import { reloadComments, useDeleteComment } from './api'
import { isHiddenFromReaders, isOperator, isOwn, linkTo } from './model'

type MenuContext = { user: User | null | undefined; postAuthor: string | undefined; onEdit: () => void }

export function useCommentMenu(comment: Comment, { user, postAuthor, onEdit }: MenuContext): MenuItem[] {
  const { t } = useTranslation('comments')
  const { t: common } = useTranslation()
  const client = useQueryClient()
  const toasts = useResultToasts()
  const confirm = useConfirm()
  const asUser = useRequireUser()
  const nameOf = usePersonName()
  const remove = useDeleteComment()
  const blocking = useBlocking(() => reloadComments(client))
  const author = comment.user
  const own = isOwn(comment, user)
  const mayDelete = own || isOperator(user) || Boolean(user && user._id === postAuthor)

  const drop = async () => {
    const yes = await confirm({
      title: own ? t('remove.own') : t('remove.title', { name: nameOf(author) }),
      text: t(comment.replyCount > 0 ? 'remove.withReplies' : 'remove.text'),
      action: common('delete'),
      danger: true,
    })
    if (!yes) return
    remove.mutate(comment, toasts(t('remove.done')))
  }
  const copy = () =>
    void copyText(linkTo(comment._id)).then(
      () => toast.success(t('linkCopied')),
      () => toast.error(common('copyFailed')),
    )

  const report = () => asUser(() => openModal('report', { kind: 'Comment', id: comment._id }))

  const items: (MenuItem | false)[] = [
    own && !comment.isHidden && { key: 'edit', title: t('edit'), icon: 'edit', onSelect: onEdit },
    mayDelete && { key: 'delete', title: common('delete'), icon: 'trash', onSelect: () => void drop() },
    { key: 'link', title: t('copyLink'), icon: 'link', onSelect: copy },
    Boolean(author) &&
      !own &&
      !isHiddenFromReaders(comment) && { key: 'report', title: common('report'), icon: 'flag', onSelect: report },
    Boolean(user && author && !own && !author.isDeleted && !isOperator(author)) && {
      key: 'block',
      title: t('block'),
      icon: 'ban',
      onSelect: () => author && void blocking.block(author),
    },
  ]
  return items.filter((item) => item !== false)
}
