import { type SyntheticEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Language } from '@/shared/i18n'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
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
  const [values, setValues] = useState(EMPTY)
  const [problems, setProblems] = useState<SignProblems>({})
  const form = useRef<HTMLFormElement>(null)
  const text = useProblemText()
  const toast = useToast()
  const joining = mode === 'signUp'
  const active = joining ? signUp : signIn
  const shown = { ...serverProblems(active.error), ...problems }
  const isElsewhere = (error: unknown) => Object.keys(serverProblems(error)).length === 0
  const elsewhere = !joining && active.error && isElsewhere(active.error) ? text(active.error) : undefined
  // Every refusal of signing up is a notice, as specified; one that belongs to a field stands there too.
  const refused = (error: unknown) => {
    const [problem] = Object.values(serverProblems(error))
    toast.error(problem ? t(`problems.${problem}`) : text(error), error)
  }
  const say = (field: keyof SignProblems) => (shown[field] ? t(`problems.${shown[field]}`) : undefined)

  const set = (change: Partial<SignValues>) => {
    setValues((before) => ({ ...before, ...change }))
    setProblems({})
    signIn.reset()
    signUp.reset()
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const found = joining ? signUpProblems(values) : signInProblems(values)
    setProblems(found)
    if (Object.keys(found).length > 0) {
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
      return
    }
    const email = values.email.trim()
    const { password } = values
    if (joining) {
      const language = i18n.language as Language
      const name = values.name.trim()
      signUp.mutate(
        { email, password, name, language, termsAccepted: true, privacyAccepted: true },
        { onSuccess: onDone, onError: refused },
      )
    } else {
      signIn.mutate({ email, password }, { onSuccess: onDone })
    }
  }

  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      <p className={styles.lead}>{t(joining ? 'signUpLead' : 'signInLead')}</p>
      <SocialButtons agreed={joining && values.terms && values.privacy} />
      {elsewhere && (
        <p className={styles.problem} role="alert">
          {elsewhere}
        </p>
      )}
      <TextField
        label={t('email')}
        type="email"
        name="email"
        autoComplete="email"
        inputMode="email"
        value={values.email}
        error={say('email')}
        onChange={(e) => set({ email: e.target.value })}
      />
      {joining && (
        <TextField
          label={t('name')}
          name="name"
          autoComplete="nickname"
          help={t('nameHint')}
          value={values.name}
          error={say('name')}
          onChange={(e) => set({ name: e.target.value })}
        />
      )}
      <PasswordField
        label={t('password')}
        name="password"
        autoComplete={joining ? 'new-password' : 'current-password'}
        {...(joining ? { help: t('passwordHint') } : {})}
        value={values.password}
        error={say('password')}
        onChange={(e) => set({ password: e.target.value })}
      />
      {joining ? (
        <Agreement terms={values.terms} privacy={values.privacy} problem={say('terms')} onChange={set} />
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
        <button type="button" onClick={() => onMode(joining ? 'signIn' : 'signUp')}>
          {t(joining ? 'toSignInLink' : 'toSignUpLink')}
        </button>
      </p>
    </form>
  )
}
