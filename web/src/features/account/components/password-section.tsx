import { type SyntheticEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PasswordField, passwordProblem, useSetPassword } from '@/features/auth'
import { isApiError } from '@/shared/api/errors'
import type { User } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button } from '@/shared/ui/button'
import { useToast } from '@/shared/ui/toast'
import styles from './account-tab.module.css'
import { Section } from './section'

const EMPTY = { current: '', password: '' }

/** Changes the password, or sets the first one of somebody who signs in through others. */
export function PasswordSection({ user }: { user: User }) {
  const { t } = useTranslation('account')
  const { t: auth } = useTranslation('auth')
  const toast = useToast()
  const text = useProblemText()
  const setPassword = useSetPassword()
  const [values, setValues] = useState(EMPTY)
  const [problem, setProblem] = useState<ReturnType<typeof passwordProblem>>()
  const wrong = isApiError(setPassword.error) && setPassword.error.fields.some(({ field }) => field === 'current')
  const change = (part: Partial<typeof EMPTY>) => {
    setValues((before) => ({ ...before, ...part }))
    setProblem(undefined)
    setPassword.reset()
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const found = passwordProblem(values.password)
    setProblem(found)
    if (found) return
    const { current, password } = values
    setPassword.mutate(user.hasPassword ? { current, password } : { password }, {
      onSuccess: () => {
        setValues(EMPTY)
        toast.success(t('password.changed'))
      },
      onError: (error) => {
        const said = isApiError(error) && error.fields.some(({ field }) => field === 'current')
        if (!said) toast.error(t('password.failed', { message: text(error) }), error)
      },
    })
  }
  const lead = user.hasPassword
    ? t('password.leadChange')
    : t('password.leadSet', { provider: user.signInWith.join(', ') })
  return (
    <Section title={t('password.title')} lead={lead}>
      <form className={styles.body} onSubmit={submit} noValidate>
        {/* Password managers look for the name that a password belongs to. */}
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        {user.hasPassword && (
          <PasswordField
            label={t('password.current')}
            name="current-password"
            autoComplete="current-password"
            value={values.current}
            error={wrong ? t('password.wrong') : undefined}
            onChange={(event) => change({ current: event.target.value })}
          />
        )}
        <PasswordField
          label={auth('newPassword')}
          name="new-password"
          autoComplete="new-password"
          help={auth('passwordHint')}
          value={values.password}
          error={problem && auth(`problems.${problem}`)}
          onChange={(event) => change({ password: event.target.value })}
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
