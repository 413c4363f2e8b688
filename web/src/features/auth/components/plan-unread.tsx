import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/ui/button'
import { FieldError } from '@/shared/ui/field'
import styles from './way-back.module.css'

/** That the server did not say what the plan allows, and another try. */
export function PlanUnread({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation('auth')
  const { t: common } = useTranslation()
  return (
    <div className={styles.unread}>
      <FieldError>{t('plan.unread')}</FieldError>
      <Button size="small" tone="outline" icon="reset" onClick={onRetry}>
        {common('retry')}
      </Button>
    </div>
  )
}
