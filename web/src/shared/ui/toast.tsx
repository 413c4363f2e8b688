import { App } from 'antd'
import { useMemo } from 'react'

export type Toast = {
  success: (title: string, description?: string) => void
  error: (title: string, description?: string) => void
  info: (title: string, description?: string) => void
}

/** Notices at the top of the page; offset, stack and life stand in `ui-provider.tsx`. */
export function useToast(): Toast {
  const { notification } = App.useApp()
  return useMemo(
    () => ({
      success: (title, description) => notification.success({ title, description }),
      error: (title, description) => notification.error({ title, description, role: 'alert' }),
      info: (title, description) => notification.info({ title, description }),
    }),
    [notification],
  )
}
