import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { useRequireUser, useUser } from '@/features/auth'
import type { Comment } from '@/shared/api/types'
import { classNames } from '@/shared/lib/class-names'
import { formatCount, formatDate, formatRelative } from '@/shared/lib/format'
import { isAdminPath, paths } from '@/shared/lib/paths'
import { usePersonName } from '@/shared/lib/person-name'
import { Avatar } from '@/shared/ui/avatar'
import { BrandLogo } from '@/shared/ui/brand-logo'
import { Chip } from '@/shared/ui/chip'
import { Icon } from '@/shared/ui/icon'
import { Menu } from '@/shared/ui/menu'
import { RichText } from '@/shared/ui/rich-text'
import { toast } from '@/shared/ui/toast'
import { useEditComment, useSetReaction } from '../api'
import { isHiddenFromReaders, isOperator, isOwn } from '../model'
import { useCommentMenu } from '../use-comment-menu'
import { useRefusal } from '../use-refusal'
import { CommentEditor } from './comment-editor'
import styles from './comment-item.module.css'

type CommentItemProps = {
  comment: Comment
  postAuthor: string | undefined
  marked: boolean
  replying: boolean
  onReply: () => void
}

export function CommentItem({ comment, postAuthor, marked, replying, onReply }: CommentItemProps) {
  const { t } = useTranslation('comments')
  const [editing, setEditing] = useState(false)
  const user = useUser()
  const box = useScrollToMarked(marked)
  const menu = useCommentMenu(comment, { user, postAuthor, onEdit: () => setEditing(true) })
  const nameOf = usePersonName()
  const author = comment.user
  return (
    <article
      ref={box}
      className={classNames(styles.comment, comment.depth > 0 && styles.reply, marked && styles.marked)}
      tabIndex={marked ? -1 : undefined}
      aria-label={t(author ? 'by' : 'deletedLabel', { name: nameOf(author) })}
    >
      <Portrait comment={comment} />
      <div className={styles.main}>
        {author && <Head comment={comment} postAuthor={postAuthor} />}
        {!author && <p className={styles.placeholder}>{t('deleted')}</p>}
        {author && isHiddenFromReaders(comment) && <p className={styles.placeholder}>{t('hidden')}</p>}
        {author && editing && <CommentEdit comment={comment} onDone={() => setEditing(false)} />}
        {author && !editing && (
          <>
            {!isHiddenFromReaders(comment) && (
              <div className={styles.content}>
                <RichText html={comment.content} />
              </div>
            )}
            <div className={styles.bar}>
              {!isHiddenFromReaders(comment) && (
                <>
                  <Reactions comment={comment} />
                  <button type="button" className={styles.action} aria-expanded={replying} onClick={onReply}>
                    <Icon name="reply" size={16} />
                    {t('reply')}
                  </button>
                </>
              )}
              <Menu
                label={t('menu', { name: nameOf(author) })}
                className={styles.more}
                trigger={<Icon name="dots" size={18} />}
                items={menu}
              />
            </div>
          </>
        )}
      </div>
    </article>
  )
}

function Portrait({ comment: { user, depth } }: { comment: Comment }) {
  const nameOf = usePersonName()
  const size = depth > 0 ? 28 : 36
  if (!user) return <span className={styles.deleted} style={{ width: size, height: size }} aria-hidden="true" />
  return <Avatar name={nameOf(user)} url={user.profile?.thumbnailUrl ?? user.socialProfile} size={size} />
}

function Head({ comment, postAuthor }: { comment: Comment; postAuthor: string | undefined }) {
  const { t, i18n } = useTranslation('comments')
  const { pathname } = useLocation()
  const nameOf = usePersonName()
  const { user, createdAt, editedAt, isHidden } = comment
  if (!user) return null
  const profile = isAdminPath(pathname) ? paths.admin.profile(user._id) : paths.profile(user._id)
  return (
    <p className={styles.head}>
      {user.isDeleted ? (
        <span className={styles.author}>{nameOf(user)}</span>
      ) : (
        <Link className={styles.author} to={profile}>
          {user.name}
        </Link>
      )}
      {isOperator(user) && (
        <span className={styles.operator} title={t('operator')}>
          <BrandLogo size={16} />
          <span className="visually-hidden">{t('operator')}</span>
        </span>
      )}
      {user._id === postAuthor && <span className={styles.badge}>{t('author')}</span>}
      <time className={styles.time} dateTime={createdAt} title={formatDate(createdAt)}>
        {formatRelative(createdAt, i18n.language)}
      </time>
      {isHidden && <Chip tone="warn">{t('hiddenMark')}</Chip>}
      {editedAt && <span className={styles.time}>{t('edited')}</span>}
    </p>
  )
}

/** How long a page may change its height, and events that mean the reader scrolls themselves. */
const MAX_WAIT_MS = 4000
const USER_SCROLL_EVENTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/** Scrolls to the comment and focuses it when the address links to it. */
function useScrollToMarked(marked: boolean) {
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!marked) return
    const show = () => box.current?.scrollIntoView({ block: 'center' })
    show()
    box.current?.focus({ preventScroll: true })
    // Content above may still load and move the comment, until the reader scrolls.
    const page = new ResizeObserver(show)
    const stop = () => page.disconnect()
    page.observe(document.body)
    const timer = setTimeout(stop, MAX_WAIT_MS)
    for (const kind of USER_SCROLL_EVENTS) window.addEventListener(kind, stop, { once: true, passive: true })
    return () => {
      stop()
      clearTimeout(timer)
      for (const kind of USER_SCROLL_EVENTS) window.removeEventListener(kind, stop)
    }
  }, [marked])
  return box
}

function CommentEdit({ comment, onDone }: { comment: Comment; onDone: () => void }) {
  const { t } = useTranslation('comments')
  const { t: common } = useTranslation()
  const refusal = useRefusal()
  const edit = useEditComment(comment._id)
  return (
    <CommentEditor
      html={comment.content}
      label={t('editLabel')}
      submit={common('save')}
      busy={edit.isPending}
      onSubmit={(html) =>
        edit.mutate(html, { onSuccess: onDone, onError: (error) => toast.error(refusal(error), error) })
      }
      onCancel={onDone}
    />
  )
}

function Reactions({ comment }: { comment: Comment }) {
  const { t } = useTranslation('comments')
  const { t: common } = useTranslation()
  const user = useUser()
  const asUser = useRequireUser()
  const react = useSetReaction()
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
