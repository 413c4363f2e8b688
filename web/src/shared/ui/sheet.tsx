import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { Button } from './button'
import { useEscape } from './layers'
import { keepFocus } from './lightbox'
import styles from './sheet.module.css'

type SheetProps = { open: boolean; onClose: () => void; title: string; children: ReactNode }

/** A drawer from below, for narrow screens: Esc, the cross and the scrim close it, and the focus goes back. */
export function Sheet({ open, ...rest }: SheetProps) {
  return open ? createPortal(<Drawn {...rest} />, document.body) : null
}

function Drawn({ onClose, title, children }: Omit<SheetProps, 'open'>) {
  const { t } = useTranslation()
  const sheet = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const before = document.activeElement
    const { overflow } = document.body.style
    document.body.style.overflow = 'hidden'
    // What is inside may have taken the focus already.
    if (!sheet.current?.contains(before)) sheet.current?.focus({ preventScroll: true })
    return () => {
      document.body.style.overflow = overflow
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])
  useEscape(true, onClose)
  const keys = (event: KeyboardEvent) => {
    // What opens above the sheet is its child for React, but not on the page.
    if (!sheet.current?.contains(event.target as Node)) return
    if (event.key !== 'Escape') event.stopPropagation()
    if (event.key === 'Tab') keepFocus(event, sheet.current)
  }
  return (
    <div className={styles.frame}>
      <button type="button" className={styles.scrim} tabIndex={-1} aria-hidden="true" onClick={onClose} />
      <div
        ref={sheet}
        className={styles.sheet}
        role="dialog"
        aria-modal="true"
        aria-label={title}
        tabIndex={-1}
        onKeyDown={keys}
      >
        <div className={styles.head}>
          <p className={styles.title}>{title}</p>
          <Button tone="ghost" icon="close" aria-label={t('close')} onClick={onClose} />
        </div>
        <div className={styles.body}>{children}</div>
      </div>
    </div>
  )
}
