import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Outlet, ScrollRestoration, useNavigation } from 'react-router'
import { LoginDialogProvider, useGuest, useSession } from '@/features/auth'
import { SupportChat } from '@/features/support-chat'
import { chunk } from '@/shared/lib/chunk'
import { paths } from '@/shared/lib/paths'
import { useMedia, WIDE } from '@/shared/lib/use-media'
import { lazyPart } from '@/shared/ui/lazy-part'
import { SilentRetry } from '@/shared/ui/load-error'
import { ErrorState } from '@/shared/ui/states'
import { BanBanner, ConnectionBanner, GuestBanner, PauseNotices } from './banners'
import { Drawer } from './drawer'
import { Header } from './header'
import { ModalHost } from './modal-host'
import { scrollKey, useScrollRestoration } from './scroll-restoration'
import styles from './shell.module.css'
import { SideBar } from './side-bar'
import { useShortcuts } from './use-shortcuts'

const PromotionBanner = lazyPart(
  chunk(() => import('./promotion-banner')),
  SilentRetry,
)

export function Shell() {
  const { t } = useTranslation()
  const wide = useMedia(WIDE)
  const session = useSession()
  const [drawer, setDrawer] = useState(false)
  const loading = useNavigation().state === 'loading'
  useShortcuts()
  useScrollRestoration()
  return (
    <LoginDialogProvider>
      <a className={styles.skip} href="#content">
        {t('skip')}
      </a>
      {loading && <div className={styles.bar} />}
      <div className={styles.frame}>
        {wide && <SideBar />}
        <div className={styles.column}>
          <Header onMenu={wide ? undefined : () => setDrawer(true)} />
          <ConnectionBanner />
          <Suspense>
            <PromotionBanner />
          </Suspense>
          <GuestBanner />
          <BanBanner />
          <PauseNotices />
          <main id="content" className={styles.main} tabIndex={-1}>
            {/* Every page waits for the session. If it cannot be loaded, show the error. */}
            {session.is === 'failed' ? <ErrorState error={session.error} onRetry={session.retry} /> : <Outlet />}
          </main>
          <Footer />
        </div>
      </div>
      {!wide && <Drawer open={drawer} onClose={() => setDrawer(false)} />}
      <ModalHost />
      {session.is === 'user' && (
        <Suspense fallback={null}>
          <SupportChat />
        </Suspense>
      )}
      <ScrollRestoration getKey={scrollKey} />
    </LoginDialogProvider>
  )
}

function Footer() {
  const { t } = useTranslation()
  const guest = useGuest()
  return (
    <footer className={styles.footer}>
      <span>{t('brand')}</span>
      <nav aria-label={t('footer.label')}>
        <ul>
          {guest && (
            <li>
              <Link to={paths.intro()}>{t('footer.intro')}</Link>
            </li>
          )}
          <li>
            <Link to={paths.pricing()}>{t('footer.pricing')}</Link>
          </li>
          <li>
            <Link to={paths.terms()}>{t('footer.terms')}</Link>
          </li>
          <li>
            <Link to={paths.privacy()}>{t('footer.privacy')}</Link>
          </li>
        </ul>
      </nav>
    </footer>
  )
}
