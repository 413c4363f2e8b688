import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button } from '@/shared/ui/button'
import { Outcome } from '@/shared/ui/outcome'
import { PageSpinner } from '@/shared/ui/spinner'
import { useUser, useVerifyEmail } from '../api'
import { LinkOutcome, SignCard } from '../components/sign-card'
import { codeOf } from '../model'

export default function VerifyPage() {
  const { t } = useTranslation('auth')
  const user = useUser()
  const verify = useVerifyEmail()
  const text = useProblemText()
  const [code] = useState(() => codeOf(window.location.hash))
  const started = useRef(false)
  useEffect(() => {
    if (started.current || !code) return
    started.current = true
    window.history.replaceState(window.history.state, '', window.location.pathname)
    verify.mutate(code)
  })
  const useless = !code || (isApiError(verify.error) && verify.error.code === 'AUTH_LINK_INVALID')
  const confirmed = verify.isSuccess || (useless && user?.emailVerified === true)
  return (
    <SignCard title={t('verify.title')}>
      {!useless && !verify.error && !verify.isSuccess && <PageSpinner />}
      {confirmed && <LinkOutcome tone="good" text={t('verify.done')} to={paths.home()} label={t('goOn')} />}
      {useless && !confirmed && (
        <LinkOutcome
          tone="bad"
          text={t('verify.invalid')}
          to={user ? paths.account() : paths.login()}
          label={t(user ? 'verify.toAccount' : 'backToSignIn')}
        />
      )}
      {verify.error && !useless && (
        <Outcome
          tone="bad"
          icon="warning"
          text={text(verify.error)}
          action={
            <Button size="large" wide onClick={() => verify.mutate(code)}>
              {t('again')}
            </Button>
          }
        />
      )}
    </SignCard>
  )
}
