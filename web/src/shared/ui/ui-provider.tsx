import type { ReactNode } from 'react'
import { ConfirmProvider } from './dialog'
import { ToastHost } from './toast-host'

/** Toasts and confirmations for everything below. */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <ConfirmProvider>
      {children}
      <ToastHost />
    </ConfirmProvider>
  )
}
