import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { chunk } from '@/shared/lib/chunk'
import { useWoken } from '@/shared/lib/use-woken'
import { lazyPart } from '@/shared/ui/lazy-part'
import { PartLeftOut } from '@/shared/ui/part-lost'
import { ConfirmProvider } from './dialog'
import { onFirstToast } from './toast'

const ToastHost = lazyPart(
  chunk(() => import('./toast-host')),
  PartLeftOut,
)

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
