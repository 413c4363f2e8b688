import { useInfiniteQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '@/features/auth'
import type { Comment } from '@/shared/api/types'
import { Button } from '@/shared/ui/button'
import { ErrorState, Skeleton } from '@/shared/ui/states'
import { REFRESH_OPTIONS, repliesQuery } from '../api'
import { draft, placeKey } from '../drafts'
import { isShown, opensByDefault } from '../model'
import { CommentItem } from './comment-item'
import styles from './comments.module.css'
import { Composer } from './composer'

type ThreadProps = { comment: Comment; postAuthor: string | undefined; linked?: Comment | undefined }

/** A comment and its replies. `linked` is the one that the address links to. */
export function Thread({ comment, postAuthor, linked }: ThreadProps) {
  const { t } = useTranslation('comments')
  const id = useId()
  const [open, setOpen] = useState(() => opensByDefault(comment) || Boolean(linked?.parent))
  const user = useUser()
  // Reopens a reply that was being written before a reload.
  const [replying, setReplying] = useState<Comment | null>(() =>
    user && draft.of(user._id, placeKey({ kind: 'parent', id: comment._id })) ? comment : null,
  )
  if (!isShown(comment)) return null
  const reply = (to: Comment) => setReplying(replying?._id === to._id ? null : to)
  const done = () => {
    setReplying(null)
    setOpen(true)
  }
  const box = (to: Comment) =>
    replying?._id === to._id && (
      <Composer
        place={{ kind: 'parent', id: to._id }}
        label={t('writeReply')}
        placeholder={t('replyPlaceholder')}
        submit={t('reply')}
        opened
        onDone={done}
        onCancel={() => setReplying(null)}
      />
    )
  return (
    <li className={styles.thread}>
      <CommentItem
        comment={comment}
        postAuthor={postAuthor}
        marked={linked?._id === comment._id}
        replying={replying?._id === comment._id}
        onReply={() => reply(comment)}
      />
      <div className={styles.below}>
        {box(comment)}
        {comment.replyCount > 0 && (
          <>
            <Button
              className={styles.toggle}
              tone="ghost"
              size="small"
              icon={open ? 'up' : 'down'}
              aria-expanded={open}
              aria-controls={id}
              onClick={() => setOpen(!open)}
            >
              {open ? t('hideReplies') : t('showReplies', { count: comment.replyCount })}
            </Button>
            <div id={id}>
              {open && (
                <Replies parent={comment._id} linked={linked?.parent ? linked : undefined}>
                  {(answer) => (
                    <>
                      <CommentItem
                        comment={answer}
                        postAuthor={postAuthor}
                        marked={linked?._id === answer._id}
                        replying={replying?._id === answer._id}
                        onReply={() => reply(answer)}
                      />
                      {box(answer)}
                    </>
                  )}
                </Replies>
              )}
            </div>
          </>
        )}
      </div>
    </li>
  )
}

type RepliesProps = { parent: string; linked: Comment | undefined; children: (answer: Comment) => React.ReactNode }

function Replies({ parent, linked, children }: RepliesProps) {
  const { t } = useTranslation('comments')
  const user = useUser()
  const list = useInfiniteQuery({
    ...repliesQuery(parent, Boolean(user)),
    ...REFRESH_OPTIONS,
    enabled: user !== undefined,
  })
  if (list.isPending) return <Skeleton style={{ height: 56, borderRadius: 12 }} />
  if (!list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  // The linked reply is shown even before the pages up to it are loaded.
  const beyond = linked && !list.data.some((answer) => answer._id === linked._id) ? linked : undefined
  return (
    <ol className={styles.replies}>
      {list.data.map((answer) => (
        <li key={answer._id}>{children(answer)}</li>
      ))}
      {list.hasNextPage && (
        <li>
          <Button size="small" tone="ghost" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {t('moreReplies')}
          </Button>
        </li>
      )}
      {beyond && <li>{children(beyond)}</li>}
    </ol>
  )
}
