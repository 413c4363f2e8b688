import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useWoken } from '@/shared/lib/use-woken'
import { ConfirmProvider } from './dialog'
import { onFirstToast } from './toast'

const ToastHost = lazy(() => import('./toast-host'))

/**
 * Notices and confirmations for everything below. Notices answer what somebody does: what draws them is fetched with
 * the first sign of life, or with the first notice.
 */
export function UiProvider({ children }: { children: ReactNode }) {
  const woken = useWoken()
  const [wanted, setWanted] = useState(false)
  useEffect(() => onFirstToast(() => setWanted(true)), [])
  return (
    <ConfirmProvider>
      {children}
      {(woken || wanted) && (
        <Suspense fallback={null}>
          <ToastHost />
        </Suspense>
      )}
    </ConfirmProvider>
  )
}
