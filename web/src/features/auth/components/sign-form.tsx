import { type RefObject, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Language } from '@/shared/i18n'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { type Problems, useForm } from '@/shared/lib/use-form'
import { Button } from '@/shared/ui/button'
import { TextField } from '@/shared/ui/field'
import { toast } from '@/shared/ui/toast'
import { type Registration, useSignIn, useSignUp } from '../api'
import {
  clearSignUp,
  isPending,
  type SignProblems,
  type SignValues,
  serverProblems,
  signInProblems,
  signUpProblems,
  storedSignUp,
} from '../model'
import { Agreement } from './agreement'
import { CodeStep } from './code-step'
import { FormProblem } from './form-problem'
import { PasswordField } from './password-field'
import styles from './sign-form.module.css'
import { SocialButtons } from './social-buttons'

export type SignMode = 'signIn' | 'signUp'
type SignFormProps = {
  mode: SignMode
  onMode: (mode: SignMode) => void
  onDone: () => void
  onLeave?: () => void
  /** Focuses the first field: in a dialog that contains only this form. */
  takesFocus?: boolean
}

/** The id of the error notice of a refused sign-up, which is closed when the user is signed in by either form. */
const REFUSAL = 'sign-up'

const EMPTY: SignValues = { email: '', password: '', name: '', terms: false, privacy: false }

/** Sign-in and sign-up in one form, as many users open the wrong one. */
export default function SignForm({ mode, onMode, onDone, onLeave, takesFocus = false }: SignFormProps) {
  const { t, i18n } = useTranslation('auth')
  const signIn = useSignIn()
  const signUp = useSignUp()
  const text = useProblemText()
  const [pending, setPending] = useState(storedSignUp)
  const joining = mode === 'signUp'
  const active = joining ? signUp : signIn
  // Every refused sign-up shows a notice, as specified. Errors of a field are also shown at the field.
  const refused = (error: unknown) => {
    const [problem] = Object.values(serverProblems(error))
    toast.error(problem ? t(`problems.${problem}`) : text(error), error, REFUSAL)
  }
  const done = () => {
    toast.drop(REFUSAL)
    onDone()
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
      if (!joining) return signIn.mutate({ email, password }, { onSuccess: done })
      signUp.mutate(registration({ password, ...values }), {
        onSuccess: (answer) => {
          if (!isPending(answer)) return done()
          toast.drop(REFUSAL)
          setPending(answer)
        },
        onError: refused,
      })
    },
  })
  const registration = (values: SignValues): Registration => ({
    email: values.email.trim(),
    password: values.password,
    name: values.name.trim(),
    language: i18n.language as Language,
    termsAccepted: true,
    privacyAccepted: true,
  })
  // The password is unknown after a reload.
  const again = form.values.password
    ? () =>
        signUp.mutateAsync(registration(form.values)).then(
          (answer) => {
            if (isPending(answer)) setPending(answer)
          },
          (error: unknown) => {
            refused(error)
            throw error
          },
        )
    : undefined
  const { terms, privacy } = form.values
  useAutoFocus(takesFocus, form.form.ref)

  if (joining && pending) {
    const back = () => {
      clearSignUp()
      setPending(null)
    }
    return <CodeStep pending={pending} onDone={done} onAgain={again} onBack={back} />
  }
  return (
    <form {...form.form} className={styles.form}>
      <p className={styles.lead}>{t(joining ? 'signUpLead' : 'signInLead')}</p>
      <SocialButtons agreed={joining && terms && privacy} />
      {!joining && <FormProblem error={form.refusal} />}
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

/** Focuses the first field, also after the dialog has focused its own first button. */
function useAutoFocus(takesFocus: boolean, form: RefObject<HTMLFormElement | null>) {
  useEffect(() => {
    if (!takesFocus) return
    const first = () => form.current?.querySelector('input')
    const take = () => {
      if (!form.current?.contains(document.activeElement)) first()?.focus()
    }
    take()
    const timers = [0, 50, 200, 400].map((wait) => setTimeout(take, wait))
    return () => timers.forEach(clearTimeout)
  }, [takesFocus, form])
}
