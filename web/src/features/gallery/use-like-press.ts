import { useTranslation } from 'react-i18next'
import { useAsUser, useUser } from '@/features/auth'
import type { OutputAsset } from '@/shared/api/types'
import { useToast } from '@/shared/ui/toast'
import { useLike } from './api'
import { isLiked, isOwn } from './model'

/** The heart of a picture: how it stands for whoever looks, and what a press does. Nobody likes what is their own. */
export function useLikePress(picture: OutputAsset) {
  const { t } = useTranslation('gallery')
  const user = useUser()
  const toast = useToast()
  const asUser = useAsUser()
  const like = useLike()
  const press = () =>
    asUser((someone) =>
      like.mutate(
        { id: picture._id, user: someone._id, liked: !isLiked(picture, someone) },
        { onError: (error) => toast.error(t('likeFailed'), error) },
      ),
    )
  return { liked: isLiked(picture, user), own: isOwn(picture, user), press }
}
