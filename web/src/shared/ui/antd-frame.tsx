import { ConfigProvider } from 'antd'
import type { ReactNode } from 'react'
import { antdTheme } from '@/shared/theme/antd-theme'

/** The theme for what the library draws. It is loaded with the first dialog or notice, never with a page. */
export function AntdFrame({ children }: { children: ReactNode }) {
  return <ConfigProvider theme={antdTheme}>{children}</ConfigProvider>
}
