import { type SyntheticEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PasswordField } from '@/features/auth'
import { isApiError } from '@/shared/api/errors'
import type { User } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button } from '@/shared/ui/button'
import { TextField } from '@/shared/ui/field'
import { useLeave } from '../api'
import styles from './account-tab.module.css'

/** The last question before an account is deleted: the password, or the name of somebody who has none. */
export function Farewell({ user, onCancel }: { user: User; onCancel: () => void }) {
  const { t } = useTranslation('account')
  const { t: common } = useTranslation()
  const text = useProblemText()
  const leave = useLeave()
  const [answer, setAnswer] = useState('')
  const refused = isApiError(leave.error, 400) && leave.error.fields.length > 0
  const change = (value: string) => {
    setAnswer(value)
    leave.reset()
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    leave.mutate(user.hasPassword ? { password: answer } : { name: answer })
  }
  const elsewhere = leave.error && !refused ? t('data.deleteFailed', { message: text(leave.error) }) : undefined
  return (
    <form className={styles.farewell} onSubmit={submit} noValidate>
      <p className={styles.muted}>{t('data.deleteText')}</p>
      {user.hasPassword ? (
        <PasswordField
          label={t('data.confirmPassword')}
          name="password"
          autoComplete="current-password"
          value={answer}
          error={refused ? t('password.wrong') : elsewhere}
          onChange={(event) => change(event.target.value)}
        />
      ) : (
        <TextField
          label={t('data.confirmName', { name: user.name })}
          autoComplete="off"
          value={answer}
          error={refused ? t('data.wrongName') : elsewhere}
          onChange={(event) => change(event.target.value)}
        />
      )}
      <div className={styles.actions}>
        <Button tone="ghost" onClick={onCancel}>
          {common('cancel')}
        </Button>
        <Button type="submit" tone="danger" busy={leave.isPending || leave.isSuccess} disabled={!answer.trim()}>
          {t('data.delete')}
        </Button>
      </div>
    </form>
  )
}
