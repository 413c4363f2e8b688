import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet, ScrollRestoration, useNavigation } from 'react-router'
import { LoginDialogProvider, useSession } from '@/features/auth'
import { SupportChat } from '@/features/support-chat'
import { useMedia, WIDE } from '@/shared/lib/use-media'
import { ErrorState } from '@/shared/ui/states'
import { BanBanner } from './ban-banner'
import { ConnectionBanner } from './connection-banner'
import { Drawer } from './drawer'
import { Footer } from './footer'
import { GuestBanner } from './guest-banner'
import { Header } from './header'
import { scrollKey, useKeptScroll } from './keep-scroll'
import { ModalHost } from './modal-host'
import { Pauses } from './pauses'
import styles from './shell.module.css'
import { SideBar } from './side-bar'
import { useShortcuts } from './use-shortcuts'

/** The frame around every page. */
export function Shell() {
  const { t } = useTranslation()
  const wide = useMedia(WIDE)
  const session = useSession()
  const [drawer, setDrawer] = useState(false)
  const loading = useNavigation().state === 'loading'
  useShortcuts()
  useKeptScroll()
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
          <GuestBanner />
          <BanBanner />
          <Pauses />
          <main id="content" className={styles.main} tabIndex={-1}>
            {/* Every page waits for who is here; where nobody can say, waiting has no end. */}
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
