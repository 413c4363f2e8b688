import { useTranslation } from 'react-i18next'
import { useAsUser, useUser } from '@/features/auth'
import type { Comment } from '@/shared/api/types'
import { classNames } from '@/shared/lib/class-names'
import { formatCount } from '@/shared/lib/format'
import { Icon } from '@/shared/ui/icon'
import { useToast } from '@/shared/ui/toast'
import { useReact } from '../api'
import { isOwn } from '../model'
import styles from './comment-item.module.css'

/** Like and dislike, not on one's own. Pressed again, either is taken back. */
export function Reactions({ comment }: { comment: Comment }) {
  const { t } = useTranslation('comments')
  const { t: common } = useTranslation()
  const toast = useToast()
  const user = useUser()
  const asUser = useAsUser()
  const react = useReact()
  const own = isOwn(comment, user)
  const failed = (error: unknown) => toast.error(common('errors.requestFailed'), error)
  const press = (like: boolean) => asUser(() => react.mutate({ id: comment._id, like }, { onError: failed }))
  const sides = [
    { like: true, icon: 'like', count: comment.likeCount, label: t('like', { count: comment.likeCount }) },
    { like: false, icon: 'dislike', count: comment.dislikeCount, label: t('dislike', { count: comment.dislikeCount }) },
  ] as const
  return sides.map(({ like, icon, count, label }) => (
    <button
      key={icon}
      type="button"
      className={classNames(styles.action, comment.isLike === like && styles.pressed)}
      aria-pressed={comment.isLike === like}
      aria-label={label}
      title={own ? t('ownReaction') : undefined}
      disabled={own}
      onClick={() => press(like)}
    >
      <Icon name={icon} size={16} />
      {count > 0 && <span aria-hidden="true">{formatCount(count)}</span>}
    </button>
  ))
}
