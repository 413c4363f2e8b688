import { createContext, type ReactNode, useCallback, useContext, useId, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { Button } from './button'
import styles from './dialog.module.css'
import { keepFocus, useEscape, useLayerFocus, useScrollbarRoom } from './layers'

type DialogProps = {
  open: boolean
  onClose: () => void
  title: string
  width?: number
  children: ReactNode
}

/** A modal dialog with a title. Escape, the close button and the scrim close it; the focus then returns to its opener. */
export function Dialog({ open, ...rest }: DialogProps) {
  return open ? createPortal(<Modal {...rest} />, document.body) : null
}

function Modal({ onClose, title, width = 440, children }: Omit<DialogProps, 'open'>) {
  const { t } = useTranslation()
  const titleId = useId()
  const dialog = useRef<HTMLDivElement>(null)
  useLayerFocus(dialog)
  useScrollbarRoom()
  useEscape(true, onClose)
  return (
    <div className={styles.frame}>
      <button type="button" className={styles.scrim} tabIndex={-1} aria-hidden="true" onClick={onClose} />
      <div
        ref={dialog}
        className={styles.dialog}
        style={{ maxWidth: width }}
        role="dialog"
        aria-modal="true"
        aria-labelledby={titleId}
        tabIndex={-1}
        onKeyDown={(event) => keepFocus(event, dialog.current)}
      >
        <div className={styles.head}>
          <p id={titleId} className={styles.title}>
            {title}
          </p>
          <Button tone="ghost" icon="close" className={styles.close} aria-label={t('close')} onClick={onClose} />
        </div>
        {children}
      </div>
    </div>
  )
}

/** `keep` labels the button that changes nothing, where `Cancel` would be ambiguous. */
type Question = { title: string; text: string; action: string; keep?: string; danger?: boolean }
type Confirm = (question: Question) => Promise<boolean>

const ConfirmContext = createContext<Confirm>(() => Promise.resolve(false))

/** Asks for confirmation before an action that matters. The title names the object; the promise gives the answer. */
export const useConfirm = (): Confirm => useContext(ConfirmContext)

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<{ question: Question; answer: (yes: boolean) => void } | null>(null)
  const confirm = useCallback<Confirm>((question) => new Promise((answer) => setOpen({ question, answer })), [])
  const close = useMemo(
    () => (yes: boolean) => {
      open?.answer(yes)
      setOpen(null)
    },
    [open],
  )
  return (
    <ConfirmContext.Provider value={confirm}>
      {children}
      <Dialog open={open !== null} onClose={() => close(false)} title={open?.question.title ?? ''}>
        <p className={styles.text}>{open?.question.text}</p>
        <div className={styles.actions}>
          <Button tone="ghost" onClick={() => close(false)}>
            {open?.question.keep ?? t('cancel')}
          </Button>
          <Button tone={open?.question.danger ? 'danger' : 'primary'} onClick={() => close(true)}>
            {open?.question.action}
          </Button>
        </div>
      </Dialog>
    </ConfirmContext.Provider>
  )
}
