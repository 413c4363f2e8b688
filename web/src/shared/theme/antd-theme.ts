import { type ThemeConfig, theme } from 'antd'

type Algorithm = typeof theme.darkAlgorithm

/** antd's dark algorithm dulls the accent; this puts ours back. The values are those of `tokens.css`. */
const brandDark: Algorithm = (seed, map) => ({
  ...theme.darkAlgorithm(seed, map),
  colorPrimary: '#5DFFB1',
  colorPrimaryHover: '#8AFFC8',
  colorPrimaryActive: '#3DE096',
  colorInfo: '#5DFFB1',
  colorSuccess: '#5DFFB1',
  colorError: '#FF8080',
  colorWarning: '#FFC966',
  colorLink: '#5DFFB1',
  colorPrimaryBg: '#123324',
  colorPrimaryBorder: '#2a7d57',
  colorBgLayout: '#111111',
  colorBgContainer: '#222222',
  colorBgElevated: '#2a2a2a',
  colorTextTertiary: 'rgba(255,255,255,.62)',
  colorTextQuaternary: 'rgba(255,255,255,.5)',
})

export const antdTheme: ThemeConfig = {
  algorithm: brandDark,
  token: {
    fontFamily: 'var(--font)',
    borderRadius: 8,
    borderRadiusLG: 12,
    motionDurationMid: '0.1s',
    motionDurationSlow: '0.15s',
  },
  components: { Button: { primaryColor: '#06150e' }, Notification: { progressBg: '#5DFFB1' } },
}
