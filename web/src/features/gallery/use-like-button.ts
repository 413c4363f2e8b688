import { useTranslation } from 'react-i18next'
import { useUser } from '@/features/auth'
import type { OutputAsset } from '@/shared/api/types'
import { useLike } from './api'
import { isLiked, isOwn } from './model'

export function useLikeButton(picture: OutputAsset) {
  const { t } = useTranslation('gallery')
  const user = useUser()
  const like = useLike(() => t('likeFailed'))
  const press = () => like({ id: picture._id, on: !isLiked(picture, user) })
  return { liked: isLiked(picture, user), own: isOwn(picture, user), press }
}
