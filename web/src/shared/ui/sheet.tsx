import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { Button } from './button'
import { keepFocus, useEscape, useLayerFocus, useScrollbarRoom } from './layers'
import styles from './sheet.module.css'

type SheetProps = { open: boolean; onClose: () => void; title: string; children: ReactNode }

/** A drawer from below for narrow screens. Escape, the close button and the scrim close it. */
export function Sheet({ open, ...rest }: SheetProps) {
  return open ? createPortal(<OpenSheet {...rest} />, document.body) : null
}

function OpenSheet({ onClose, title, children }: Omit<SheetProps, 'open'>) {
  const { t } = useTranslation()
  const sheet = useRef<HTMLDivElement>(null)
  useLayerFocus(sheet)
  useScrollbarRoom()
  useEscape(true, onClose)
  const keys = (event: KeyboardEvent) => {
    // A dialog opened from the sheet is its child in React, but not in the document.
    if (!sheet.current?.contains(event.target as Node)) return
    if (event.key !== 'Escape') event.stopPropagation()
    keepFocus(event, sheet.current)
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
