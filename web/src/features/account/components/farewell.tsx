import { useTranslation } from 'react-i18next'
import { PasswordField } from '@/features/auth'
import { isApiError } from '@/shared/api/errors'
import type { User } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import { useForm } from '@/shared/lib/use-form'
import { TextField } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { useLeave } from '../api'
import styles from './account-tab.module.css'

/** The last question before an account is deleted: the password, or the name of somebody who has none. */
export function Farewell({ user, onCancel }: { user: User; onCancel: () => void }) {
  const { t } = useTranslation('account')
  const text = useProblemText()
  const leave = useLeave()
  const form = useForm({
    start: { answer: '' },
    error: leave.error,
    refused: (error) => ({
      answer:
        isApiError(error, 400) && error.fields.length > 0
          ? t(user.hasPassword ? 'password.wrong' : 'data.wrongName')
          : t('data.deleteFailed', { message: text(error) }),
    }),
    send: ({ answer }) => leave.mutate(user.hasPassword ? { password: answer } : { name: answer }),
  })
  return (
    <form {...form.form} className={styles.farewell}>
      <p className={styles.muted}>{t('data.deleteText')}</p>
      {user.hasPassword ? (
        <PasswordField
          label={t('data.confirmPassword')}
          name="password"
          autoComplete="current-password"
          {...form.field('answer')}
        />
      ) : (
        <TextField label={t('data.confirmName', { name: user.name })} autoComplete="off" {...form.field('answer')} />
      )}
      <FormActions
        onCancel={onCancel}
        tone="danger"
        busy={leave.isPending || leave.isSuccess}
        disabled={!form.values.answer.trim()}
      >
        {t('data.delete')}
      </FormActions>
    </form>
  )
}
