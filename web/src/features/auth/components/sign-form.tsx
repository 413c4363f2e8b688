import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Language } from '@/shared/i18n'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { type Problems, useForm } from '@/shared/lib/use-form'
import { Button } from '@/shared/ui/button'
import { TextField } from '@/shared/ui/field'
import { useToast } from '@/shared/ui/toast'
import { useSignIn, useSignUp } from '../api'
import { type SignProblems, type SignValues, serverProblems, signInProblems, signUpProblems } from '../model'
import { Agreement } from './agreement'
import { PasswordField } from './password-field'
import styles from './sign-form.module.css'
import { SocialButtons } from './social-buttons'

export type SignMode = 'signIn' | 'signUp'
type SignFormProps = { mode: SignMode; onMode: (mode: SignMode) => void; onDone: () => void; onLeave?: () => void }

const EMPTY: SignValues = { email: '', password: '', name: '', terms: false, privacy: false }

/** Sign-in and sign-up: one form, because half of the people who open one need the other. */
export default function SignForm({ mode, onMode, onDone, onLeave }: SignFormProps) {
  const { t, i18n } = useTranslation('auth')
  const signIn = useSignIn()
  const signUp = useSignUp()
  const text = useProblemText()
  const toast = useToast()
  const joining = mode === 'signUp'
  const active = joining ? signUp : signIn
  // Every refusal of signing up is a notice, as specified; one that belongs to a field stands there too.
  const refused = (error: unknown) => {
    const [problem] = Object.values(serverProblems(error))
    toast.error(problem ? t(`problems.${problem}`) : text(error), error)
  }
  const inWords = (problems: SignProblems): Problems =>
    Object.fromEntries(Object.entries(problems).map(([field, problem]) => [field, t(`problems.${problem}`)]))
  const form = useForm({
    start: EMPTY,
    check: (values) => inWords(joining ? signUpProblems(values) : signInProblems(values)),
    error: active.error,
    refused: (error) => inWords(serverProblems(error)),
    send: ({ password, ...values }) => {
      const email = values.email.trim()
      if (!joining) return signIn.mutate({ email, password }, { onSuccess: onDone })
      const language = i18n.language as Language
      const name = values.name.trim()
      signUp.mutate(
        { email, password, name, language, termsAccepted: true, privacyAccepted: true },
        { onSuccess: onDone, onError: refused },
      )
    },
  })
  const { terms, privacy } = form.values

  return (
    <form {...form.form} className={styles.form}>
      <p className={styles.lead}>{t(joining ? 'signUpLead' : 'signInLead')}</p>
      <SocialButtons agreed={joining && terms && privacy} />
      {!joining && form.refusal !== null && (
        <p className={styles.problem} role="alert">
          {text(form.refusal)}
        </p>
      )}
      <TextField
        label={t('email')}
        type="email"
        name="email"
        autoComplete="email"
        inputMode="email"
        {...form.field('email')}
      />
      {joining && (
        <TextField label={t('name')} name="name" autoComplete="nickname" help={t('nameHint')} {...form.field('name')} />
      )}
      <PasswordField
        label={t('password')}
        name="password"
        autoComplete={joining ? 'new-password' : 'current-password'}
        {...(joining ? { help: t('passwordHint') } : {})}
        {...form.field('password')}
      />
      {joining ? (
        <Agreement terms={terms} privacy={privacy} problem={form.problems.terms} onChange={form.set} />
      ) : (
        <Link className={styles.forgot} to={paths.forgotPassword()} onClick={onLeave}>
          {t('forgot.link')}
        </Link>
      )}
      <Button type="submit" tone="primary" size="large" wide busy={active.isPending}>
        {t(joining ? 'signUp' : 'signIn')}
      </Button>
      <p className={styles.switch}>
        {t(joining ? 'toSignIn' : 'toSignUp')}
        <button
          type="button"
          onClick={() => {
            form.reset(form.values)
            onMode(joining ? 'signIn' : 'signUp')
          }}
        >
          {t(joining ? 'toSignInLink' : 'toSignUpLink')}
        </button>
      </p>
    </form>
  )
}
