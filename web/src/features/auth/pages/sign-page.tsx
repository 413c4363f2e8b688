import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { paths } from '@/shared/lib/paths'
import { useUser } from '../api'
import { SignCard } from '../components/sign-card'
import SignForm, { type SignMode } from '../components/sign-form'
import { takeReturnPath } from '../model'

/** The login modal as a page, for links and bookmarks. Signed-in users are redirected. */
function SignPage({ mode }: { mode: SignMode }) {
  const { t } = useTranslation('auth')
  const user = useUser()
  const navigate = useNavigate()
  useEffect(() => {
    if (user) void navigate(takeReturnPath(), { replace: true })
  }, [user, navigate])
  return (
    <SignCard title={t(mode === 'signUp' ? 'signUpTitle' : 'signInTitle')}>
      <SignForm
        mode={mode}
        onMode={(next) => void navigate(next === 'signUp' ? paths.signup() : paths.login(), { replace: true })}
        onDone={() => undefined}
      />
    </SignCard>
  )
}

export const LoginPage = () => <SignPage mode="signIn" />
export const SignupPage = () => <SignPage mode="signUp" />
