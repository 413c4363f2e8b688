import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useAsUser } from '@/features/auth'
import { useBlocking } from '@/features/blocks'
import type { Comment, User } from '@/shared/api/types'
import { copyText } from '@/shared/lib/clipboard'
import { usePersonName } from '@/shared/lib/person-name'
import { useProblemText } from '@/shared/lib/problem-text'
import { useConfirm } from '@/shared/ui/dialog'
import type { MenuItem } from '@/shared/ui/menu'
import { openModal } from '@/shared/ui/modals'
import { useToast } from '@/shared/ui/toast'
import { forgetComments, useDeleteComment } from './api'
import { isOperator, isOwn, isVeiled, linkTo } from './model'

type MenuContext = { user: User | null | undefined; postAuthor: string | undefined; onEdit: () => void }

/** What somebody may do with a comment, beside answering and liking it: one line each. */
export function useCommentMenu(comment: Comment, { user, postAuthor, onEdit }: MenuContext): MenuItem[] {
  const { t } = useTranslation('comments')
  const { t: common } = useTranslation()
  const client = useQueryClient()
  const toast = useToast()
  const text = useProblemText()
  const confirm = useConfirm()
  const asUser = useAsUser()
  const nameOf = usePersonName()
  const remove = useDeleteComment()
  const blocking = useBlocking(() => forgetComments(client))
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
    remove.mutate(comment, {
      onSuccess: () => toast.success(t('remove.done')),
      onError: (error) => toast.error(text(error), error),
    })
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
      !isVeiled(comment) && { key: 'report', title: common('report'), icon: 'flag', onSelect: report },
    Boolean(user && author && !own && !author.isDeleted && !isOperator(author)) && {
      key: 'block',
      title: t('block'),
      icon: 'ban',
      onSelect: () => author && void blocking.block(author),
    },
  ]
  return items.filter((item) => item !== false)
}
