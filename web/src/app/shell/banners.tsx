import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { useGuest, useLoginDialog, useUser } from '@/features/auth'
import { checkConnection, useConnectionLost } from '@/shared/api/connection'
import type { Language } from '@/shared/i18n'
import { useBanText } from '@/shared/lib/ban-text'
import { paths } from '@/shared/lib/paths'
import { Icon } from '@/shared/ui/icon'
import { toast } from '@/shared/ui/toast'
import { announcementsQuery } from './announcements'
import styles from './shell.module.css'

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

export function ConnectionBanner() {
  const { t } = useTranslation()
  const lost = useConnectionLost()
  const was = useRef(false)
  useEffect(() => {
    if (was.current && !lost) toast.brief(t('backOnline'))
    was.current = lost
  }, [lost, t])
  return (
    <div role="status">
      {lost && (
        <div className={styles.offline}>
          <Icon name="warning" size={18} />
          <p>{t('offline')}</p>
          <button type="button" onClick={() => void checkConnection()}>
            {t('retry')}
          </button>
        </div>
      )}
    </div>
  )
}

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

/** The gallery, and pages from which pictures are published. */
const GALLERY_PATHS = /^\/(?:gallery|pictures|profile\/[^/]+\/(?:gallery|image-files))(?:\/|$)/

/** Pages on which users look for a model or an app. */
const MODEL_PATHS = /^\/(?:apps|create|comfyui-manager)(?:\/|$)/

export function PauseNotices() {
  const { t, i18n } = useTranslation()
  const { pathname } = useLocation()
  const announcements = useQuery(announcementsQuery()).data
  const pauses = [
    { title: t('galleryPause'), text: announcements?.galleryPause, places: GALLERY_PATHS },
    { title: t('requestPause'), text: announcements?.requestPause, places: MODEL_PATHS },
  ]
  return pauses.map(
    ({ title, text, places }) =>
      text &&
      places.test(pathname) && (
        <section key={title} className={styles.pause} aria-label={title}>
          <Icon name="clock" size={20} />
          <p>{text[i18n.language as Language]}</p>
        </section>
      ),
  )
}
