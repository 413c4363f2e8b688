import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button, ButtonLink } from '@/shared/ui/button'
import { Outcome } from '@/shared/ui/outcome'
import { PageSpinner } from '@/shared/ui/spinner'
import { useUser, useVerifyEmail } from '../api'
import { SignCard } from '../components/sign-card'
import { codeOf } from '../model'

/** Where the link of a mail leads that confirms an address. */
export default function VerifyPage() {
  const { t } = useTranslation('auth')
  const user = useUser()
  const verify = useVerifyEmail()
  const text = useProblemText()
  const [code] = useState(() => codeOf(window.location.hash))
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current || !code) return
    begun.current = true
    window.history.replaceState(window.history.state, '', window.location.pathname)
    verify.mutate(code)
  })
  const useless = !code || (isApiError(verify.error) && verify.error.code === 'AUTH_LINK_INVALID')
  const confirmed = verify.isSuccess || (useless && user?.emailVerified === true)
  return (
    <SignCard title={t('verify.title')}>
      {!useless && !verify.error && !verify.isSuccess && <PageSpinner />}
      {confirmed && (
        <Outcome
          tone="good"
          icon="check"
          text={t('verify.done')}
          action={
            <ButtonLink to={paths.home()} tone="primary" size="large" wide>
              {t('goOn')}
            </ButtonLink>
          }
        />
      )}
      {useless && !confirmed && (
        <Outcome
          tone="bad"
          icon="warning"
          text={t('verify.invalid')}
          action={
            <ButtonLink to={user ? paths.account() : paths.login()} tone="primary" size="large" wide>
              {t(user ? 'verify.toAccount' : 'backToSignIn')}
            </ButtonLink>
          }
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
