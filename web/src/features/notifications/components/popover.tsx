import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { useEscape } from '@/shared/ui/layers'
import styles from './bell.module.css'

type PopoverProps = {
  label: string
  opener: RefObject<HTMLButtonElement | null>
  onClose: () => void
  children: ReactNode
}

/** A popover: Esc and an outside press close it, and the button gets the focus back. */
export function Popover({ label, opener, onClose, children }: PopoverProps) {
  const panel = useRef<HTMLDivElement>(null)
  const close = useRef(onClose)
  close.current = onClose
  useEffect(() => {
    panel.current?.focus({ preventScroll: true })
    const outside = (event: Event) => {
      const at = event.target as Node
      if (!panel.current?.contains(at) && !opener.current?.contains(at)) close.current()
    }
    document.addEventListener('pointerdown', outside)
    document.addEventListener('focusin', outside)
    return () => {
      document.removeEventListener('pointerdown', outside)
      document.removeEventListener('focusin', outside)
    }
  }, [opener])
  useEscape(true, () => {
    onClose()
    opener.current?.focus()
  })
  return (
    <div ref={panel} className={styles.panel} role="dialog" aria-label={label} tabIndex={-1}>
      {children}
    </div>
  )
}
