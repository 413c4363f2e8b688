import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { onReturn } from '@/shared/api/connection'
import { Button } from './button'
import type { DialogProps } from './dialog'
import styles from './dialog.module.css'
import { useEscape } from './layers'
import type { LostProps } from './part-lost'

/** A modal that needs nothing but the browser: stands in for `Modal` where its code did not arrive. */
export function PlainModal({ part: { open, onClose, title, children }, onLoaded }: LostProps<DialogProps>) {
  const { t } = useTranslation()
  const dialog = useRef<HTMLDialogElement>(null)
  const latest = useRef(onLoaded)
  latest.current = onLoaded
  useEscape(open, onClose)
  useEffect(() => {
    if (open) dialog.current?.showModal()
    // It is not replaced while it is open: what is being typed in it would be lost.
    else return onReturn(() => latest.current())
  }, [open])
  if (!open) return null
  return (
    <dialog
      ref={dialog}
      className={styles.plain}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <div className={styles.plainHead}>
        <span className={styles.title}>{title}</span>
        <Button tone="ghost" icon="close" aria-label={t('close')} onClick={onClose} />
      </div>
      {children}
    </dialog>
  )
}
