import { useTranslation } from 'react-i18next'
import { paths } from '@/shared/lib/paths'
import { useForm } from '@/shared/lib/use-form'
import { Button, ButtonLink } from '@/shared/ui/button'
import { TextField } from '@/shared/ui/field'
import { Outcome } from '@/shared/ui/outcome'
import { useForgotPassword } from '../api'
import { FormProblem } from '../components/form-problem'
import { SignCard } from '../components/sign-card'
import styles from '../components/sign-form.module.css'
import { emailProblem } from '../model'

/** Requests a mail to reset the password. The answer does not reveal whether the address exists. */
export default function ForgotPage() {
  const { t } = useTranslation('auth')
  const forgot = useForgotPassword()
  const form = useForm({
    start: { email: '' },
    check: ({ email }) => {
      const problem = emailProblem(email)
      return { email: problem && t(`problems.${problem}`) }
    },
    error: forgot.error,
    send: ({ email }) => forgot.mutate(email.trim()),
  })
  const back = (
    <ButtonLink to={paths.login()} size="large" wide>
      {t('backToSignIn')}
    </ButtonLink>
  )
  if (forgot.isSuccess)
    return (
      <SignCard title={t('forgot.sentTitle')}>
        <Outcome tone="good" icon="check" text={t('forgot.sent', { email: form.values.email.trim() })} action={back} />
      </SignCard>
    )
  return (
    <SignCard title={t('forgot.title')}>
      <form {...form.form} className={styles.form}>
        <p className={styles.lead}>{t('forgot.lead')}</p>
        <FormProblem error={form.refusal} />
        <TextField
          label={t('email')}
          type="email"
          name="email"
          autoComplete="email"
          inputMode="email"
          {...form.field('email')}
        />
        <Button type="submit" tone="primary" size="large" wide busy={forgot.isPending}>
          {t('forgot.send')}
        </Button>
        {back}
      </form>
    </SignCard>
  )
}
