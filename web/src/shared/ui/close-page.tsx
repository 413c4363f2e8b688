import { useLayoutEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { hasPreviousPage } from '@/shared/lib/has-previous-page'
import { isTyping } from '@/shared/lib/typing'
import { Button } from './button'
import styles from './close-page.module.css'

/** Layers above the page, or an item being sorted by keyboard, that handle Escape themselves. */
const LAYER = '[role=dialog], dialog[open], [role=menu], [aria-roledescription=sortable][aria-pressed=true]'

/** A close button that goes back, as Escape does. `to` is the target if the history has no earlier page of the site. */
export function ClosePage({ to }: { to: string }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { key } = useLocation()
  const leave = () => {
    if (hasPreviousPage(key)) void navigate(-1)
    else void navigate(to, { replace: true })
  }
  // A layout effect listens before the page is painted, so an immediate key press is not lost.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `leave` reads the current history when the key is pressed.
  useLayoutEffect(() => {
    const keys = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || isTyping(event.target)) return
      if (!document.querySelector(LAYER)) leave()
    }
    // In the capture phase, layers that this key closes are still open.
    document.addEventListener('keydown', keys, true)
    return () => document.removeEventListener('keydown', keys, true)
  }, [key, to])
  return <Button tone="ghost" icon="close" className={styles.close} aria-label={t('close')} onClick={leave} />
}
