import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { cameFromHere } from '@/shared/lib/came-from-here'
import { isTyping } from '@/shared/lib/typing'
import { Button } from './button'
import styles from './close-page.module.css'

/** What lies above the page, or is being moved by the keys, and has the Escape key to itself. */
const LAYER = '[role=dialog], dialog[open], [role=menu], [aria-roledescription=sortable][aria-pressed=true]'

/** A cross that goes back, as Esc does; `to` is where it leads whoever came here first. */
export function ClosePage({ to }: { to: string }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { key } = useLocation()
  const leave = () => {
    if (cameFromHere(key)) void navigate(-1)
    else void navigate(to, { replace: true })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: whichever way back there is when the key comes.
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || isTyping(event.target)) return
      if (!document.querySelector(LAYER)) leave()
    }
    // Before the layers hear of it: one that this key closes is still there.
    document.addEventListener('keydown', keys, true)
    return () => document.removeEventListener('keydown', keys, true)
  }, [key, to])
  return <Button tone="ghost" icon="close" className={styles.close} aria-label={t('close')} onClick={leave} />
}
