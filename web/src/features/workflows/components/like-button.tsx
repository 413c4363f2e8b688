import { useTranslation } from 'react-i18next'
import type { Workflow } from '@/shared/api/types'
import { classNames } from '@/shared/lib/class-names'
import { formatCount } from '@/shared/lib/format'
import { Button } from '@/shared/ui/button'
import styles from './like-button.module.css'

type LikeButtonProps = { workflow: Workflow; onPress: () => void; className?: string; counted?: boolean }

export function LikeButton({ workflow, onPress, className, counted = false }: LikeButtonProps) {
  const { t } = useTranslation('workflows')
  return (
    <Button
      className={classNames(styles.like, workflow.isLiked && styles.liked, className)}
      icon="heart"
      aria-pressed={workflow.isLiked}
      aria-label={counted ? `${t('actions.like')} ${formatCount(workflow.likeCount)}` : t('actions.like')}
      title={t(workflow.isLiked ? 'actions.unlike' : 'actions.like')}
      onClick={onPress}
    >
      {counted && formatCount(workflow.likeCount)}
    </Button>
  )
}
