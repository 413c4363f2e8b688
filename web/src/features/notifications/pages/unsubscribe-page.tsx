import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { codeOf, SignCard, useUser } from '@/features/auth'
import { isApiError } from '@/shared/api/errors'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button, ButtonLink } from '@/shared/ui/button'
import { Outcome } from '@/shared/ui/outcome'
import { useUnsubscribe } from '../api/alerts'

/** Target of a mail's unsubscribe link. Asks first, because virus scanners open links. */
export default function UnsubscribePage() {
  const { t } = useTranslation('notifications')
  const user = useUser()
  const text = useProblemText()
  const unsubscribe = useUnsubscribe()
  const [code] = useState(() => codeOf(window.location.hash))
  // The code is a secret and must not stay in the address.
  useEffect(() => window.history.replaceState(window.history.state, '', window.location.pathname), [])
  const useless = !code || (isApiError(unsubscribe.error) && unsubscribe.error.code === 'UNSUBSCRIBE_LINK_INVALID')
  const settings = (
    <ButtonLink to={user ? paths.alerts() : paths.login()} tone="primary" size="large" wide>
      {t(user ? 'unsubscribe.settings' : 'unsubscribe.signIn')}
    </ButtonLink>
  )
  const stop = (
    <Button
      tone="primary"
      size="large"
      wide
      busy={unsubscribe.isPending}
      onClick={() => code && unsubscribe.mutate(code)}
    >
      {t('unsubscribe.stop')}
    </Button>
  )
  return (
    <SignCard title={t('unsubscribe.title')}>
      {unsubscribe.isSuccess ? (
        <Outcome tone="good" icon="check" text={t('unsubscribe.done')} action={settings} />
      ) : useless ? (
        <Outcome tone="bad" icon="warning" text={t('unsubscribe.invalid')} action={settings} />
      ) : unsubscribe.error ? (
        <Outcome tone="bad" icon="warning" text={text(unsubscribe.error)} action={stop} />
      ) : (
        <Outcome tone="plain" icon="mail" text={t('unsubscribe.ask')} action={stop} />
      )}
    </SignCard>
  )
}
