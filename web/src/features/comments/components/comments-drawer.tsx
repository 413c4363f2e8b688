import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useUser } from '@/features/auth'
import { formatCount } from '@/shared/lib/format'
import { Button } from '@/shared/ui/button'
import { Sheet } from '@/shared/ui/sheet'
import { commentsQuery } from '../api'
import Comments, { type CommentsProps } from './comments'

/** A button with the number of comments that opens a drawer. A link to a comment opens it too. */
export default function CommentsDrawer(props: CommentsProps) {
  const { t } = useTranslation('comments')
  const [params] = useSearchParams()
  const user = useUser()
  const list = useInfiniteQuery({ ...commentsQuery(props.post, Boolean(user)), enabled: user !== undefined })
  const [open, setOpen] = useState(params.has('comment'))
  const count = list.data?.count
  const title = count ? t('counted', { short: formatCount(count) }) : t('title')
  return (
    <>
      <Button icon="comment" wide aria-haspopup="dialog" aria-expanded={open} onClick={() => setOpen(true)}>
        {title}
      </Button>
      <Sheet open={open} onClose={() => setOpen(false)} title={title}>
        <Comments {...props} titled />
      </Sheet>
    </>
  )
}
