import type { ComponentProps, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button'
import styles from './form-actions.module.css'

type FormActionsProps = Pick<ComponentProps<typeof Button>, 'tone' | 'icon' | 'busy' | 'disabled'> & {
  onCancel: () => void
  /** The label of the submit button. */
  children: ReactNode
}

/** The end of a form: a cancel and a submit button. */
export function FormActions({ onCancel, children, tone = 'primary', ...send }: FormActionsProps) {
  const { t } = useTranslation()
  return (
    <div className={styles.actions}>
      <Button tone="ghost" onClick={onCancel}>
        {t('cancel')}
      </Button>
      <Button {...send} type="submit" tone={tone}>
        {children}
      </Button>
    </div>
  )
}
