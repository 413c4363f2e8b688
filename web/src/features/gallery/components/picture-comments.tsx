import { Comments, CommentsDrawer, type Post } from '@/features/comments'
import type { OutputAsset } from '@/shared/api/types'
import { useMedia, WIDE } from '@/shared/lib/use-media'
import styles from '../pages/picture-page.module.css'

/** What people say about a picture that everybody sees: beside it, and in a drawer from below where it is narrow. */
export function PictureComments({ picture }: { picture: OutputAsset }) {
  const wide = useMedia(WIDE)
  if (picture.isPrivate) return null
  const post: Post = { kind: 'outputAsset', id: picture._id }
  if (!wide) {
    return (
      <div className={styles.drawer}>
        <CommentsDrawer post={post} postAuthor={picture.user?._id} />
      </div>
    )
  }
  return (
    <div className={styles.comments}>
      <Comments post={post} postAuthor={picture.user?._id} />
    </div>
  )
}
