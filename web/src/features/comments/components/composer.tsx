import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRequireUser, useUser } from '@/features/auth'
import { Avatar } from '@/shared/ui/avatar'
import { toast } from '@/shared/ui/toast'
import { useWriteComment } from '../api'
import { draft, placeKey } from '../drafts'
import type { Place } from '../model'
import { useRefusal } from '../use-refusal'
import { CommentEditor } from './comment-editor'
import styles from './composer.module.css'

type ComposerProps = {
  place: Place
  label: string
  placeholder: string
  submit: string
  /** Whether the editor is open from the start; `onCancel` closes it. */
  opened?: boolean
  onDone?: () => void
  onCancel?: () => void
}

/** The field for a new comment. It starts as one line; the editor is loaded on focus. */
export function Composer(props: ComposerProps) {
  const { t } = useTranslation('comments')
  const user = useUser()
  const asUser = useRequireUser()
  const key = placeKey(props.place)
  const kept = user ? draft.of(user._id, key) : ''
  const [open, setOpen] = useState(Boolean(props.opened))
  if (user && (open || kept)) {
    return (
      <Writing {...props} key={user._id} user={user._id} draftKey={key} opened={open} onClose={() => setOpen(false)} />
    )
  }
  return (
    <div className={styles.line}>
      <Avatar name={user?.name ?? '?'} url={user?.profile?.thumbnailUrl} size={36} />
      <button type="button" className={styles.begin} onClick={() => asUser(() => setOpen(true))}>
        {user === null ? t('guest') : props.placeholder}
      </button>
    </div>
  )
}

type WritingProps = ComposerProps & { user: string; draftKey: string; onClose: () => void }

function Writing({ place, user, draftKey, opened, onClose, onDone, onCancel, ...words }: WritingProps) {
  const [kept] = useState(() => draft.of(user, draftKey))
  const refusal = useRefusal()
  const write = useWriteComment(place)
  const close = () => {
    draft.keep(user, draftKey, '')
    onClose()
  }
  const send = (html: string) =>
    write.mutate(html, {
      onSuccess: () => {
        close()
        onDone?.()
      },
      onError: (error) => toast.error(refusal(error), error),
    })
  return (
    <CommentEditor
      {...words}
      html={kept}
      // A draft restored after a reload does not take the focus.
      autoFocus={Boolean(opened) && !kept}
      busy={write.isPending}
      onChange={(html) => draft.keep(user, draftKey, html)}
      onSubmit={send}
      onCancel={() => {
        close()
        onCancel?.()
      }}
    />
  )
}
