import { useTranslation } from 'react-i18next'
import { Navigate } from 'react-router'
import { useLoginDialog, useUser } from '@/features/auth'
import { paths } from '@/shared/lib/paths'
import { useTitle } from '@/shared/lib/use-title'
import { Button, ButtonLink } from '@/shared/ui/button'
import { Icon, type IconName } from '@/shared/ui/icon'
import styles from './intro-page.module.css'

const PARTS: { key: 'run' | 'build' | 'share' | 'api' | 'private' | 'cost'; icon: IconName }[] = [
  { key: 'run', icon: 'bolt' },
  { key: 'build', icon: 'workflow' },
  { key: 'share', icon: 'gallery' },
  { key: 'api', icon: 'key' },
  { key: 'private', icon: 'lock' },
  { key: 'cost', icon: 'clock' },
]

/** The introduction for guests. Signed-in users are redirected to the first page. */
export default function IntroPage() {
  const { t } = useTranslation('intro')
  const user = useUser()
  const openLogin = useLoginDialog()
  useTitle(t('title'))
  if (user) return <Navigate to={paths.home()} replace />
  return (
    <div className={styles.page}>
      <header className={styles.hero}>
        <h1>{t('title')}</h1>
        <p>{t('lead')}</p>
        <div className={styles.actions}>
          <Button tone="primary" size="large" onClick={() => openLogin('signUp')}>
            {t('signUp')}
          </Button>
          <ButtonLink tone="outline" size="large" to={paths.apps()}>
            {t('look')}
          </ButtonLink>
        </div>
      </header>
      <ul className={styles.parts}>
        {PARTS.map(({ key, icon }) => (
          <li key={key}>
            <Icon name={icon} size={24} />
            <h2>{t(`parts.${key}.title`)}</h2>
            <p>{t(`parts.${key}.text`)}</p>
          </li>
        ))}
      </ul>
    </div>
  )
}
