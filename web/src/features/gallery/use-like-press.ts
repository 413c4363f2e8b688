import { useTranslation } from 'react-i18next'
import { useLoginDialog, useUser } from '@/features/auth'
import type { OutputAsset } from '@/shared/api/types'
import { useToast } from '@/shared/ui/toast'
import { useLike } from './api'
import { isLiked, isOwn } from './model'

/** The heart of a picture: how it stands for whoever looks, and what a press does. Nobody likes what is their own. */
export function useLikePress(picture: OutputAsset) {
  const { t } = useTranslation('gallery')
  const user = useUser()
  const toast = useToast()
  const openLogin = useLoginDialog()
  const like = useLike()
  const liked = isLiked(picture, user)
  const press = () => {
    if (!user) return openLogin()
    like.mutate(
      { id: picture._id, user: user._id, liked: !liked },
      { onError: (error) => toast.error(t('likeFailed'), error) },
    )
  }
  return { liked, own: isOwn(picture, user), press }
}
