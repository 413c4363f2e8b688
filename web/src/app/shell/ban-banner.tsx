import { useTranslation } from 'react-i18next'
import { useUser } from '@/features/auth'
import { useBanText } from '@/shared/lib/ban-text'
import { Icon } from '@/shared/ui/icon'
import styles from './shell.module.css'

/** Tells somebody who is banned until when, why, and what that means. */
export function BanBanner() {
  const { t } = useTranslation()
  const text = useBanText()
  const ban = useUser()?.ban
  if (!ban) return null
  return (
    <section className={styles.ban} aria-label={t('ban.label')}>
      <Icon name="ban" size={20} />
      <p>
        <strong>{text(ban)}</strong> {t('ban.means')}
      </p>
    </section>
  )
}
