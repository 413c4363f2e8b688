import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { useUser } from '@/features/auth'
import { isAdminPath } from '@/shared/lib/paths'
import { Button, ButtonLink } from '@/shared/ui/button'
import { useEscape } from '@/shared/ui/layers'
import { Brand } from './brand'
import { START } from './nav-items'
import { NavLinks } from './nav-links'
import styles from './navigation.module.css'

/** The navigation on narrow screens. The native dialog traps the focus and closes on Esc. */
export function Drawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const user = useUser()
  const { pathname } = useLocation()
  const dialog = useRef<HTMLDialogElement>(null)
  useEscape(open, onClose)
  useEffect(() => {
    if (open) dialog.current?.showModal()
    else dialog.current?.close()
  }, [open])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes it already; the click is on the backdrop.
    <dialog
      ref={dialog}
      className={styles.drawer}
      aria-label={t('mainNavigation')}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className={styles.top}>
        <Brand />
        <Button tone="ghost" icon="close" aria-label={t('close')} onClick={onClose} />
      </div>
      {user && !isAdminPath(pathname) && (
        <ButtonLink tone="primary" wide className={styles.start} to={START} onClick={onClose}>
          {t('create')}
        </ButtonLink>
      )}
      <nav aria-label={t('mainNavigation')}>
        <NavLinks onGo={onClose} />
      </nav>
    </dialog>
  )
}
