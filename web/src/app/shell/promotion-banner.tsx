import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { useSession } from '@/features/auth'
import { promotionsQuery } from '@/features/billing'
import { paths } from '@/shared/lib/paths'
import { local } from '@/shared/lib/storage'
import { Icon } from '@/shared/ui/icon'
import styles from './promotion-banner.module.css'

/** The promotion whose banner was closed last in this browser. Of several banners only the newest is shown. */
const CLOSED = 'vg.closedPromotion'

/** The banner that the visitor is offered, until it is closed. */
export default function PromotionBanner() {
  const { t, i18n } = useTranslation()
  const { pathname } = useLocation()
  const session = useSession()
  const [closed, setClosed] = useState(() => local.get(CLOSED))
  const isKnown = session.is === 'user' || session.is === 'guest'
  const userId = session.is === 'user' ? session.user._id : undefined
  const banner = useQuery({ ...promotionsQuery(userId), enabled: isKnown }).data?.banner
  if (!banner || banner._id === closed || pathname === paths.login() || pathname === paths.signup()) return null
  const isKorean = i18n.language === 'ko'
  const close = () => {
    local.set(CLOSED, banner._id)
    setClosed(banner._id)
  }
  return (
    <aside className={styles.promotion} aria-label={t('promotion')}>
      <p>
        {isKorean ? banner.textKo : banner.textEn}{' '}
        <Link to={banner.link}>{isKorean ? banner.labelKo : banner.labelEn}</Link>
      </p>
      <button type="button" aria-label={t('close')} onClick={close}>
        <Icon name="close" size={18} />
      </button>
    </aside>
  )
}
