import { createContext, type ReactNode, Suspense, useCallback, useContext, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { chunk } from '@/shared/lib/chunk'
import { lazyPart } from '@/shared/ui/lazy-part'
import { Button } from './button'
import styles from './dialog.module.css'
import { PlainModal } from './plain-modal'

export type DialogProps = {
  open: boolean
  onClose: () => void
  title: string
  width?: number
  children: ReactNode
}

const Modal = lazyPart(
  chunk(() => import('./modal')),
  PlainModal,
)

/** A layer above the page with a title; Esc, the cross and the scrim close it. */
export function Dialog(props: DialogProps) {
  const [wanted, setWanted] = useState(props.open)
  if (props.open && !wanted) setWanted(true)
  if (!wanted) return null
  return (
    <Suspense fallback={null}>
      <Modal {...props} />
    </Suspense>
  )
}

/** `keep` is the button that changes nothing, where `Cancel` would not be clear. */
type Question = { title: string; text: string; action: string; keep?: string; danger?: boolean }
type Ask = (question: Question) => Promise<boolean>

const AskContext = createContext<Ask>(() => Promise.resolve(false))

/** Asks before something that matters, with the name of the thing in the title. Resolves to the answer. */
export const useConfirm = (): Ask => useContext(AskContext)

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<{ question: Question; answer: (yes: boolean) => void } | null>(null)
  const ask = useCallback<Ask>((question) => new Promise((answer) => setOpen({ question, answer })), [])
  const close = useMemo(
    () => (yes: boolean) => {
      open?.answer(yes)
      setOpen(null)
    },
    [open],
  )
  return (
    <AskContext.Provider value={ask}>
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
    </AskContext.Provider>
  )
}
