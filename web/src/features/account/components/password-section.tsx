import { useTranslation } from 'react-i18next'
import { PasswordField, passwordProblem, serverProblems, useSetPassword } from '@/features/auth'
import { isApiError } from '@/shared/api/errors'
import type { User } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import { useForm } from '@/shared/lib/use-form'
import { Button } from '@/shared/ui/button'
import { toast } from '@/shared/ui/toast'
import styles from './account-tab.module.css'
import { Section } from './section'

const EMPTY = { current: '', password: '' }

/** Changes the password, or sets the first one of a user who signs in through a provider. */
export function PasswordSection({ user }: { user: User }) {
  const { t } = useTranslation('account')
  const { t: auth } = useTranslation('auth')
  const text = useProblemText()
  const setPassword = useSetPassword()
  const isWrong = (error: unknown) => isApiError(error) && error.fields.some(({ field }) => field === 'current')
  const form = useForm({
    start: EMPTY,
    check: ({ password }) => {
      const problem = passwordProblem(password)
      return { password: problem && auth(`problems.${problem}`) }
    },
    error: setPassword.error,
    refused: (error) => {
      const problem = serverProblems(error).password
      return {
        current: isWrong(error) ? t('password.wrong') : undefined,
        password: problem && auth(`problems.${problem}`),
      }
    },
    send: ({ current, password }) =>
      setPassword.mutate(user.hasPassword ? { current, password } : { password }, {
        onSuccess: () => {
          form.reset()
          toast.success(t('password.changed'))
        },
        onError: (error) => {
          if (!isWrong(error) && !serverProblems(error).password)
            toast.error(t('password.failed', { message: text(error) }), error)
        },
      }),
  })
  const { values } = form
  const lead = user.hasPassword
    ? t('password.leadChange')
    : t('password.leadSet', { provider: user.signInWith.join(', ') })
  return (
    <Section title={t('password.title')} lead={lead}>
      <form {...form.form} className={styles.body}>
        {/* Password managers look for the user name. */}
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        {user.hasPassword && (
          <PasswordField
            label={t('password.current')}
            name="current-password"
            autoComplete="current-password"
            {...form.field('current')}
          />
        )}
        <PasswordField
          label={auth('newPassword')}
          name="new-password"
          autoComplete="new-password"
          help={auth('passwordHint')}
          {...form.field('password')}
        />
        <div className={styles.buttons}>
          <Button
            type="submit"
            busy={setPassword.isPending}
            disabled={!values.password || (user.hasPassword && !values.current)}
          >
            {t(user.hasPassword ? 'password.change' : 'password.set')}
          </Button>
        </div>
      </form>
    </Section>
  )
}
