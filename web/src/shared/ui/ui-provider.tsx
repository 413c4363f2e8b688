import { App, ConfigProvider } from 'antd'
import type { ReactNode } from 'react'
import { antdTheme } from '@/shared/theme/antd-theme'

const toasts = {
  placement: 'top' as const,
  top: 44,
  duration: 10,
  showProgress: true,
  pauseOnHover: true,
  stack: { threshold: 6 },
}

/** Theme, toasts and dialogs for everything below. */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <ConfigProvider theme={antdTheme} button={{ autoInsertSpace: false }}>
      <App notification={toasts} component={false}>
        {children}
      </App>
    </ConfigProvider>
  )
}
