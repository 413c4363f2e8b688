import { useTranslation } from 'react-i18next'
import type { Comment } from '@/shared/api/types'
import { useToast } from '@/shared/ui/toast'
import { useEditComment } from '../api'
import { useRefusal } from '../use-refusal'
import { CommentEditor } from './comment-editor'

/** The editor in the place of what is edited. */
export function CommentEdit({ comment, onDone }: { comment: Comment; onDone: () => void }) {
  const { t } = useTranslation('comments')
  const { t: common } = useTranslation()
  const toast = useToast()
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
