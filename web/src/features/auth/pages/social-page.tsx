import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate, useParams } from 'react-router'
import { isApiError } from '@/shared/api/errors'
import type { Language } from '@/shared/i18n'
import { paths } from '@/shared/lib/paths'
import { useForm } from '@/shared/lib/use-form'
import { Button } from '@/shared/ui/button'
import { PageSpinner } from '@/shared/ui/spinner'
import { toast } from '@/shared/ui/toast'
import { type SocialCallback, useFinishLinking, useFinishSocial } from '../api'
import { Agreement } from '../components/agreement'
import { LinkOutcome, SignCard } from '../components/sign-card'
import formStyles from '../components/sign-form.module.css'
import {
  clearLinking,
  isLinking,
  PROVIDER_NAMES,
  PROVIDERS,
  type Provider,
  type ProviderAnswer,
  readAnswer,
  socialFailure,
  takeAgreement,
  takeReturnPath,
} from '../model'

/** The redirect target of Google and Discord. */
export default function SocialPage() {
  const { provider: name } = useParams()
  const { search } = useLocation()
  const provider = PROVIDERS.find((known) => known === name)
  // Read once: the address is changed afterwards, because a code must not stay in the history.
  const [answer] = useState(() => readAnswer(search))
  const [linking] = useState(() => provider !== undefined && isLinking(provider))
  if (!provider) return <Failed failure="expired" />
  if (linking) return <LinkCallback provider={provider} answer={answer} />
  return <Return provider={provider} answer={answer} />
}

function Return({ provider, answer }: { provider: Provider; answer: ProviderAnswer }) {
  const { t, i18n } = useTranslation('auth')
  const navigate = useNavigate()
  const finish = useFinishSocial()
  const started = useRef(false)
  const send = (back: Pick<SocialCallback, 'code' | 'state'>, agreed: boolean) => {
    const language = i18n.language as Language
    finish.mutate(
      { provider, ...back, language, termsAccepted: agreed, privacyAccepted: agreed },
      { onSuccess: () => void navigate(takeReturnPath(), { replace: true }) },
    )
  }
  useEffect(() => {
    // Effects may run twice; a code works once.
    if (started.current || 'failure' in answer) return
    started.current = true
    window.history.replaceState(window.history.state, '', window.location.pathname)
    send(answer, takeAgreement())
  })
  if ('failure' in answer) return <Failed provider={provider} failure={answer.failure} />
  if (isApiError(finish.error) && finish.error.code === 'AUTH_TERMS_REQUIRED')
    return <Terms provider={provider} onAgree={() => send({ state: answer.state }, true)} />
  if (finish.error) return <Failed provider={provider} failure={socialFailure(finish.error)} />
  // Keeps the form while the consent is being sent.
  return (
    <SignCard title={t('social.busy', { provider: PROVIDER_NAMES[provider] })}>
      <PageSpinner />
    </SignCard>
  )
}

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
      <LinkOutcome
        tone="bad"
        text={t(`social.failures.${failure}`, { provider: name })}
        to={paths.login()}
        label={t('backToSignIn')}
        replace
      />
    </SignCard>
  )
}

/** The return from a provider that is being connected. Finishes the link and opens the account page. */
function LinkCallback({ provider, answer }: { provider: Provider; answer: ProviderAnswer }) {
  const { t } = useTranslation('auth')
  const navigate = useNavigate()
  const finish = useFinishLinking()
  const started = useRef(false)
  const name = PROVIDER_NAMES[provider]
  useEffect(() => {
    // Effects may run twice; a code works once.
    if (started.current) return
    started.current = true
    clearLinking()
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
      <LinkOutcome
        tone="bad"
        text={t(`social.failures.${failure}`, { provider: name })}
        to={paths.account()}
        label={t('link.toAccount')}
        replace
      />
    </SignCard>
  )
}
