import { Modal as AntdModal } from 'antd'
import { type MouseEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AntdFrame } from './antd-frame'
import type { DialogProps } from './dialog'
import styles from './dialog.module.css'
import { useEscape } from './layers'

/** How soon after a dialog opened a second press still belongs to what the first one pressed. */
const DOUBLE_PRESS_MS = 500

/** What `Dialog` shows; a module of its own, so that pages load without it. */
export default function Modal({ open, onClose, title, width = 440, children }: DialogProps) {
  const { t } = useTranslation()
  useFocusBack()
  useEscape(open, onClose)
  const ignoreSecondPress = useIgnoreSecondPress(open)
  return (
    <AntdFrame>
      <AntdModal
        open={open}
        onCancel={onClose}
        footer={null}
        width={width}
        centered
        destroyOnHidden
        // It fades in where it stands: under one that grows, a quick press begins on a button and ends beside it.
        transitionName="ant-fade"
        title={<span className={styles.title}>{title}</span>}
        closable={{ 'aria-label': t('close') }}
        wrapProps={{ onClickCapture: ignoreSecondPress }}
      >
        {children}
      </AntdModal>
    </AntdFrame>
  )
}

/**
 * A dialog that a press opened is not closed by the second half of a double press, wherever in it that falls. The time is
 * that of the press itself: on a busy machine it is heard of later.
 */
function useIgnoreSecondPress(open: boolean) {
  const openedAt = useRef(0)
  useLayoutEffect(() => {
    if (open) openedAt.current = performance.now()
  }, [open])
  return (event: MouseEvent) => {
    if (event.detail > 1 && event.timeStamp - openedAt.current < DOUBLE_PRESS_MS) {
      event.preventDefault()
      event.stopPropagation()
    }
  }
}

/** A dialog that is taken away with what opened it cannot give the focus back itself. */
function useFocusBack() {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus()
    },
    [opener],
  )
}
