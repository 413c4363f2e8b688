import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Comment } from '@/shared/api/types'
import { formatMoment } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { usePersonName } from '@/shared/lib/person-name'
import { Chip } from '@/shared/ui/chip'
import { useConfirm } from '@/shared/ui/dialog'
import { Icon } from '@/shared/ui/icon'
import { Menu, type MenuItem } from '@/shared/ui/menu'
import { RichText } from '@/shared/ui/rich-text'
import { useResultToasts } from '@/shared/ui/use-result-toasts'
import { useDropComment } from '../api'
import { postOf } from '../model'
import styles from './comment-entry.module.css'
import { PersonLine } from './person-line'

type CommentEntryProps = { comment: Comment; onUser: (id: string) => void }

export function CommentEntry({ comment, onUser }: CommentEntryProps) {
  const { t, i18n } = useTranslation('moderation')
  const nameOf = usePersonName()
  const { t: common } = useTranslation()
  const toasts = useResultToasts()
  const confirm = useConfirm()
  const drop = useDropComment()
  const { user } = comment
  const post = postOf(comment)
  const name = nameOf(user)
  const remove = async () => {
    const yes = await confirm({
      title: t('comments.deleteTitle', { name }),
      text: t('comments.deleteText'),
      action: common('delete'),
      danger: true,
    })
    if (!yes) return
    drop.mutate(
      comment._id,
      toasts(t('comments.deleted'), (message) => t('comments.failed', { message })),
    )
  }
  const items: MenuItem[] = [
    ...(user
      ? [
          {
            key: 'user',
            icon: 'account' as const,
            title: t('comments.allOf', { name }),
            onSelect: () => onUser(user._id),
          },
        ]
      : []),
    { key: 'delete', icon: 'trash', title: common('delete'), onSelect: () => void remove() },
  ]
  return (
    <article className={styles.comment} aria-busy={drop.isPending}>
      <div className={styles.head}>
        <PersonLine person={user} to={paths.admin.people} />
        {comment.isHidden && <Chip tone="warn">{t('states.Hidden')}</Chip>}
        {comment.depth > 0 && <Chip>{t('comments.reply')}</Chip>}
        <Menu
          label={t('comments.menu', { name })}
          className={styles.dots}
          trigger={<Icon name="dots" size={20} />}
          items={items}
        />
      </div>
      <RichText html={comment.content} />
      <p className={styles.meta}>
        <time dateTime={comment.createdAt}>{formatMoment(comment.createdAt, i18n.language)}</time>
        {comment.editedAt && <span>{t('comments.edited')}</span>}
        {post && <Link to={post}>{t(comment.workflow ? 'comments.workflow' : 'comments.picture')}</Link>}
      </p>
    </article>
  )
}
