import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { isApiError } from '@/shared/api/errors'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { useForm } from '@/shared/lib/use-form'
import { Button, ButtonLink } from '@/shared/ui/button'
import { Outcome } from '@/shared/ui/outcome'
import { useToast } from '@/shared/ui/toast'
import { useResetPassword } from '../api'
import { PasswordField } from '../components/password-field'
import { SignCard } from '../components/sign-card'
import styles from '../components/sign-form.module.css'
import { codeOf, passwordProblem, serverProblems, takePlace } from '../model'

/** Where the link of a mail leads that allows a new password. */
export default function ResetPage() {
  const { t } = useTranslation('auth')
  const reset = useResetPassword()
  const text = useProblemText()
  const toast = useToast()
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
            void navigate(takePlace(), { replace: true })
          },
        },
      ),
  })
  if (useless)
    return (
      <SignCard title={t('reset.title')}>
        <Outcome
          tone="bad"
          icon="warning"
          text={t('reset.invalid')}
          action={
            <ButtonLink to={paths.forgotPassword()} tone="primary" size="large" wide>
              {t('reset.askAgain')}
            </ButtonLink>
          }
        />
      </SignCard>
    )
  return (
    <SignCard title={t('reset.title')}>
      <form {...form.form} className={styles.form}>
        <p className={styles.lead}>{t('reset.lead')}</p>
        {form.refusal !== null && (
          <p className={styles.problem} role="alert">
            {text(form.refusal)}
          </p>
        )}
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
