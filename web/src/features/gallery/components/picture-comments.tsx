import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Comments, type Post, useCommentCount } from '@/features/comments'
import type { OutputAsset } from '@/shared/api/types'
import { formatCount } from '@/shared/lib/format'
import { useMedia, WIDE } from '@/shared/lib/use-media'
import { Button } from '@/shared/ui/button'
import { Sheet } from '@/shared/ui/sheet'
import styles from '../pages/picture-page.module.css'

/** What people say about a picture that everybody sees: beside it, and in a drawer from below where it is narrow. */
export function PictureComments({ picture }: { picture: OutputAsset }) {
  const wide = useMedia(WIDE)
  if (picture.isPrivate) return null
  const post: Post = { kind: 'outputAsset', id: picture._id }
  if (!wide) return <Drawer post={post} postAuthor={picture.user?._id} />
  return (
    <div className={styles.comments}>
      <Comments post={post} postAuthor={picture.user?._id} />
    </div>
  )
}

function Drawer({ post, postAuthor }: { post: Post; postAuthor: string | undefined }) {
  const { t } = useTranslation('gallery')
  const [params] = useSearchParams()
  const count = useCommentCount(post)
  const [open, setOpen] = useState(params.has('comment'))
  const title = count ? t('commentsCounted', { count: formatCount(count) }) : t('comments')
  return (
    <>
      <Button icon="comment" wide aria-haspopup="dialog" aria-expanded={open} onClick={() => setOpen(true)}>
        {title}
      </Button>
      <Sheet open={open} onClose={() => setOpen(false)} title={title}>
        <Comments post={post} postAuthor={postAuthor} titled />
      </Sheet>
    </>
  )
}
