import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate, useParams } from 'react-router'
import { isApiError } from '@/shared/api/errors'
import type { Language } from '@/shared/i18n'
import { paths } from '@/shared/lib/paths'
import { useForm } from '@/shared/lib/use-form'
import { Button, ButtonLink } from '@/shared/ui/button'
import { Outcome } from '@/shared/ui/outcome'
import { PageSpinner } from '@/shared/ui/spinner'
import { type SocialReturn, useFinishSocial } from '../api'
import { Agreement } from '../components/agreement'
import { LinkReturn } from '../components/link-return'
import { SignCard } from '../components/sign-card'
import formStyles from '../components/sign-form.module.css'
import {
  type Answer,
  isLinking,
  PROVIDER_NAMES,
  PROVIDERS,
  type Provider,
  readAnswer,
  socialFailure,
  takeAgreement,
  takePlace,
} from '../model'

/** Where Google and Discord send the browser back to. */
export default function SocialPage() {
  const { provider: name } = useParams()
  const { search } = useLocation()
  const provider = PROVIDERS.find((known) => known === name)
  // The address changes once it was read, because a code must not stay in the history.
  const [answer] = useState(() => readAnswer(search))
  const [linking] = useState(() => provider !== undefined && isLinking(provider))
  if (!provider) return <Failed failure="expired" />
  if (linking) return <LinkReturn provider={provider} answer={answer} />
  return <Return provider={provider} answer={answer} />
}

function Return({ provider, answer }: { provider: Provider; answer: Answer }) {
  const { t, i18n } = useTranslation('auth')
  const navigate = useNavigate()
  const finish = useFinishSocial()
  const begun = useRef(false)
  const send = (back: Pick<SocialReturn, 'code' | 'state'>, agreed: boolean) => {
    const language = i18n.language as Language
    finish.mutate(
      { provider, ...back, language, termsAccepted: agreed, privacyAccepted: agreed },
      { onSuccess: () => void navigate(takePlace(), { replace: true }) },
    )
  }
  useEffect(() => {
    // Effects may run twice; a code works once.
    if (begun.current || 'failure' in answer) return
    begun.current = true
    window.history.replaceState(window.history.state, '', window.location.pathname)
    send(answer, takeAgreement())
  })
  if ('failure' in answer) return <Failed provider={provider} failure={answer.failure} />
  if (isApiError(finish.error) && finish.error.code === 'AUTH_TERMS_REQUIRED')
    return <Terms provider={provider} onAgree={() => send({ state: answer.state }, true)} />
  if (finish.error) return <Failed provider={provider} failure={socialFailure(finish.error)} />
  // While the agreement is on its way nothing may jump.
  return (
    <SignCard title={t('social.busy', { provider: PROVIDER_NAMES[provider] })}>
      <PageSpinner />
    </SignCard>
  )
}

/** Somebody new agrees to the terms before anything of theirs is kept. */
function Terms({ provider, onAgree }: { provider: Provider; onAgree: () => void }) {
  const { t } = useTranslation('auth')
  const form = useForm({
    start: { terms: false, privacy: false },
    check: ({ terms, privacy }) => ({ terms: terms && privacy ? undefined : t('problems.terms') }),
    send: onAgree,
  })
  return (
    <SignCard title={t('social.termsTitle')}>
      <form {...form.form} className={formStyles.form}>
        <p className={formStyles.lead}>{t('social.termsLead', { provider: PROVIDER_NAMES[provider] })}</p>
        <Agreement {...form.values} problem={form.problems.terms} onChange={form.set} />
        <Button type="submit" tone="primary" size="large" wide>
          {t('signUp')}
        </Button>
      </form>
    </SignCard>
  )
}

function Failed({ provider, failure }: { provider?: Provider; failure: ReturnType<typeof socialFailure> }) {
  const { t } = useTranslation('auth')
  const name = provider ? PROVIDER_NAMES[provider] : ''
  return (
    <SignCard title={t('social.failedTitle')}>
      <Outcome
        tone="bad"
        icon="warning"
        text={t(`social.failures.${failure}`, { provider: name })}
        action={
          <ButtonLink to={paths.login()} replace tone="primary" size="large" wide>
            {t('backToSignIn')}
          </ButtonLink>
        }
      />
    </SignCard>
  )
}
