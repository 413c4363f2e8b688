import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { paths } from '@/shared/lib/paths'
import { useTitle } from '@/shared/lib/use-title'
import { useUser } from '../api'
import SignForm, { type SignMode } from '../components/sign-form'
import { takePlace } from '../model'
import styles from './sign-page.module.css'

/** The login modal as a page of its own, for links and bookmarks. Whoever is signed in already goes on. */
function SignPage({ mode }: { mode: SignMode }) {
  const { t } = useTranslation('auth')
  const user = useUser()
  const navigate = useNavigate()
  const title = t(mode === 'signUp' ? 'signUpTitle' : 'signInTitle')
  useTitle(title)
  useEffect(() => {
    if (user) void navigate(takePlace(), { replace: true })
  }, [user, navigate])
  return (
    <div className={styles.page}>
      <div className={styles.card}>
        <h1>{title}</h1>
        <SignForm
          mode={mode}
          onMode={(next) => void navigate(next === 'signUp' ? paths.signup() : paths.login(), { replace: true })}
          onDone={() => undefined}
        />
      </div>
    </div>
  )
}

export const LoginPage = () => <SignPage mode="signIn" />
export const SignupPage = () => <SignPage mode="signUp" />
