import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { paths } from '@/shared/lib/paths'
import { ButtonLink } from '@/shared/ui/button'
import { Outcome } from '@/shared/ui/outcome'
import { PageSpinner } from '@/shared/ui/spinner'
import { useToast } from '@/shared/ui/toast'
import { useFinishLinking } from '../api'
import { type Answer, forgetLinking, PROVIDER_NAMES, type Provider, socialFailure } from '../model'
import { SignCard } from './sign-card'

/** Back from a provider that is to be connected: ends it, and returns to the account page. */
export function LinkReturn({ provider, answer }: { provider: Provider; answer: Answer }) {
  const { t } = useTranslation('auth')
  const navigate = useNavigate()
  const toast = useToast()
  const finish = useFinishLinking()
  const begun = useRef(false)
  const name = PROVIDER_NAMES[provider]
  useEffect(() => {
    // Effects may run twice; a code works once.
    if (begun.current) return
    begun.current = true
    forgetLinking()
    window.history.replaceState(window.history.state, '', window.location.pathname)
    if ('failure' in answer) return
    finish.mutate(
      { provider, ...answer },
      {
        onSuccess: () => {
          toast.success(t('link.done', { provider: name }))
          void navigate(paths.account(), { replace: true })
        },
      },
    )
  })
  const failure = 'failure' in answer ? answer.failure : finish.error && socialFailure(finish.error)
  if (!failure) {
    return (
      <SignCard title={t('link.busy', { provider: name })}>
        <PageSpinner />
      </SignCard>
    )
  }
  return (
    <SignCard title={t('link.failedTitle')}>
      <Outcome
        tone="bad"
        icon="warning"
        text={t(`social.failures.${failure}`, { provider: name })}
        action={
          <ButtonLink to={paths.account()} replace tone="primary" size="large" wide>
            {t('link.toAccount')}
          </ButtonLink>
        }
      />
    </SignCard>
  )
}
