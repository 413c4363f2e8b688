import { notification } from 'antd'
import { useEffect } from 'react'
import { AntdFrame } from './antd-frame'
import { attachToasts } from './toast'

const CONFIG = {
  placement: 'top' as const,
  top: 44,
  duration: 10,
  showProgress: true,
  pauseOnHover: true,
  stack: { threshold: 6 },
}

/** Draws the notices: at the top, 44 px down, for ten seconds, stacked from the seventh on. */
export default function ToastHost() {
  return (
    <AntdFrame>
      <Notices />
    </AntdFrame>
  )
}

function Notices() {
  const [notices, holder] = notification.useNotification(CONFIG)
  useEffect(
    () =>
      attachToasts(({ tone, title, description }) =>
        notices[tone]({ title, description, role: tone === 'error' ? 'alert' : 'status' }),
      ),
    [notices],
  )
  return holder
}
