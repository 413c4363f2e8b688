import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { useGuest, useLoginDialog } from '@/features/auth'
import { paths } from '@/shared/lib/paths'
import styles from './shell.module.css'

/** Tells a guest what signing in brings. Not on the pages that already ask for it. */
export function GuestBanner() {
  const { t } = useTranslation()
  const guest = useGuest()
  const openLogin = useLoginDialog()
  const { pathname } = useLocation()
  if (!guest || pathname === paths.login() || pathname === paths.signup()) return null
  return (
    <aside className={styles.banner}>
      <p>{t('guestBanner')}</p>
      <button type="button" onClick={() => openLogin()}>
        {t('signIn')}
      </button>
    </aside>
  )
}
