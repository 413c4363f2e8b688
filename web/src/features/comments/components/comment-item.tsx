import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { useUser } from '@/features/auth'
import type { Comment } from '@/shared/api/types'
import { classNames } from '@/shared/lib/class-names'
import { formatDate, formatRelative } from '@/shared/lib/format'
import { isAdminPath, paths } from '@/shared/lib/paths'
import { usePersonName } from '@/shared/lib/person-name'
import { Avatar } from '@/shared/ui/avatar'
import { BrandSign } from '@/shared/ui/brand-sign'
import { Chip } from '@/shared/ui/chip'
import { Icon } from '@/shared/ui/icon'
import { Menu } from '@/shared/ui/menu'
import { RichText } from '@/shared/ui/rich-text'
import { isOperator, isVeiled } from '../model'
import { useCommentMenu } from '../use-comment-menu'
import { CommentEdit } from './comment-edit'
import styles from './comment-item.module.css'
import { Reactions } from './reactions'

type CommentItemProps = {
  comment: Comment
  postAuthor: string | undefined
  /** Whether the address leads here. */
  marked: boolean
  replying: boolean
  onReply: () => void
}

/** What one person said. */
export function CommentItem({ comment, postAuthor, marked, replying, onReply }: CommentItemProps) {
  const { t } = useTranslation('comments')
  const [editing, setEditing] = useState(false)
  const user = useUser()
  const box = useMark(marked)
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
        {author && isVeiled(comment) && <p className={styles.placeholder}>{t('hidden')}</p>}
        {author && editing && <CommentEdit comment={comment} onDone={() => setEditing(false)} />}
        {author && !editing && (
          <>
            {!isVeiled(comment) && (
              <div className={styles.content}>
                <RichText html={comment.content} />
              </div>
            )}
            <div className={styles.bar}>
              {!isVeiled(comment) && (
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
  if (!user) return <span className={styles.nobody} style={{ width: size, height: size }} aria-hidden="true" />
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
          <BrandSign size={16} />
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

/** How long a page may take to find its final height, and what says that its reader goes their own way. */
const SETTLED_MS = 4000
const MOVES = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/** Brings the comment into sight, and the focus to it, when the address leads to it. */
function useMark(marked: boolean) {
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!marked) return
    const show = () => box.current?.scrollIntoView({ block: 'center' })
    show()
    box.current?.focus({ preventScroll: true })
    // What stands above it may still be loading and push it away, until somebody moves the page themselves.
    const page = new ResizeObserver(show)
    const stop = () => page.disconnect()
    page.observe(document.body)
    const timer = setTimeout(stop, SETTLED_MS)
    for (const kind of MOVES) window.addEventListener(kind, stop, { once: true, passive: true })
    return () => {
      stop()
      clearTimeout(timer)
      for (const kind of MOVES) window.removeEventListener(kind, stop)
    }
  }, [marked])
  return box
}
