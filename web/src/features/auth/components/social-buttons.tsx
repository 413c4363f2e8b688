import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useProblemText } from '@/shared/lib/problem-text'
import { Spinner } from '@/shared/ui/spinner'
import { signInOptionsQuery, useGoToProvider } from '../api'
import { clearLinking, PROVIDER_NAMES, PROVIDERS, type Provider, rememberAgreement } from '../model'
import { ProviderMark } from './provider-mark'
import styles from './social-buttons.module.css'

export function SocialButtons({ agreed }: { agreed: boolean }) {
  const { t } = useTranslation('auth')
  const options = useQuery(signInOptionsQuery()).data
  const leave = useGoToProvider()
  const text = useProblemText()
  const offered = PROVIDERS.filter((provider) => options?.[provider])
  if (offered.length === 0) return null
  const go = (provider: Provider) => {
    rememberAgreement(agreed)
    clearLinking()
    leave.mutate(provider)
  }
  // Stays pending until the browser has left the page.
  const leaving = leave.isPending || leave.isSuccess
  return (
    <div className={styles.group}>
      {offered.map((provider) => (
        <button key={provider} type="button" className={styles.button} disabled={leaving} onClick={() => go(provider)}>
          {leaving && leave.variables === provider ? <Spinner size={18} /> : <ProviderMark provider={provider} />}
          {t('social.continue', { provider: PROVIDER_NAMES[provider] })}
        </button>
      ))}
      {leave.error && (
        <p className={styles.problem} role="alert">
          {text(leave.error)}
        </p>
      )}
      <p className={styles.or}>{t('social.or')}</p>
    </div>
  )
}
