import { ConfigProvider } from 'antd'
import { type ReactNode, useMemo } from 'react'
import { useMedia } from '@/shared/lib/use-media'
import { antdTheme } from '@/shared/theme/antd-theme'

/** The theme for what the library draws. It is loaded with the first dialog or notice, never with a page. */
export function AntdFrame({ children }: { children: ReactNode }) {
  const still = useMedia('(prefers-reduced-motion: reduce)')
  const theme = useMemo(() => ({ ...antdTheme, token: { ...antdTheme.token, motion: !still } }), [still])
  return <ConfigProvider theme={theme}>{children}</ConfigProvider>
}
