import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { isApiError } from '@/shared/api/errors'
import { paths } from '@/shared/lib/paths'
import { useForm } from '@/shared/lib/use-form'
import { Button } from '@/shared/ui/button'
import { toast } from '@/shared/ui/toast'
import { useResetPassword } from '../api'
import { FormProblem } from '../components/form-problem'
import { PasswordField } from '../components/password-field'
import { LinkOutcome, SignCard } from '../components/sign-card'
import styles from '../components/sign-form.module.css'
import { codeOf, passwordProblem, serverProblems, takeReturnPath } from '../model'

export default function ResetPage() {
  const { t } = useTranslation('auth')
  const reset = useResetPassword()
  const navigate = useNavigate()
  const [code] = useState(() => codeOf(window.location.hash))
  const useless = !code || (isApiError(reset.error) && reset.error.code === 'AUTH_LINK_INVALID')
  const form = useForm({
    start: { password: '' },
    check: ({ password }) => {
      const problem = passwordProblem(password)
      return { password: problem && t(`problems.${problem}`) }
    },
    error: reset.error,
    refused: (error) => {
      const problem = serverProblems(error).password
      return { password: problem && t(`problems.${problem}`) }
    },
    send: ({ password }) =>
      reset.mutate(
        { code, password },
        {
          onSuccess: () => {
            toast.success(t('reset.done'))
            void navigate(takeReturnPath(), { replace: true })
          },
        },
      ),
  })
  if (useless)
    return (
      <SignCard title={t('reset.title')}>
        <LinkOutcome tone="bad" text={t('reset.invalid')} to={paths.forgotPassword()} label={t('reset.askAgain')} />
      </SignCard>
    )
  return (
    <SignCard title={t('reset.title')}>
      <form {...form.form} className={styles.form}>
        <p className={styles.lead}>{t('reset.lead')}</p>
        <FormProblem error={form.refusal} />
        <PasswordField
          label={t('newPassword')}
          name="password"
          autoComplete="new-password"
          help={t('passwordHint')}
          {...form.field('password')}
        />
        <Button type="submit" tone="primary" size="large" wide busy={reset.isPending}>
          {t('reset.save')}
        </Button>
      </form>
    </SignCard>
  )
}
