import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet, ScrollRestoration, useNavigation } from 'react-router'
import { LoginDialogProvider, useUser } from '@/features/auth'
import { SupportChat } from '@/features/support-chat'
import { useMedia, WIDE } from '@/shared/lib/use-media'
import { BanBanner } from './ban-banner'
import { Drawer } from './drawer'
import { Footer } from './footer'
import { GalleryPause } from './gallery-pause'
import { GuestBanner } from './guest-banner'
import { Header } from './header'
import { ModalHost } from './modal-host'
import styles from './shell.module.css'
import { SideBar } from './side-bar'
import { useShortcuts } from './use-shortcuts'

/** The frame around every page. */
export function Shell() {
  const { t } = useTranslation()
  const wide = useMedia(WIDE)
  const user = useUser()
  const [drawer, setDrawer] = useState(false)
  const loading = useNavigation().state === 'loading'
  useShortcuts()
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
          <GuestBanner />
          <BanBanner />
          <GalleryPause />
          <main id="content" className={styles.main} tabIndex={-1}>
            <Outlet />
          </main>
          <Footer />
        </div>
      </div>
      {!wide && <Drawer open={drawer} onClose={() => setDrawer(false)} />}
      <ModalHost />
      {user && (
        <Suspense fallback={null}>
          <SupportChat />
        </Suspense>
      )}
      <ScrollRestoration />
    </LoginDialogProvider>
  )
}
