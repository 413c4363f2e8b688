import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { ConfirmProvider } from './dialog'
import { onFirstToast } from './toast'

const ToastHost = lazy(() => import('./toast-host'))
const CALM_MS = 4000

/** Notices and confirmations for everything below. What draws notices is fetched when the page has calmed down. */
export function UiProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState(false)
  useEffect(() => {
    const load = () => setToasts(true)
    const timer = setTimeout(load, CALM_MS)
    const forget = onFirstToast(load)
    return () => {
      clearTimeout(timer)
      forget()
    }
  }, [])
  return (
    <ConfirmProvider>
      {children}
      {toasts && (
        <Suspense fallback={null}>
          <ToastHost />
        </Suspense>
      )}
    </ConfirmProvider>
  )
}
