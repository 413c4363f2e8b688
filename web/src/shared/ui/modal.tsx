import { Modal as AntdModal } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AntdFrame } from './antd-frame'
import type { DialogProps } from './dialog'
import styles from './dialog.module.css'
import { useEscape } from './layers'

/** What `Dialog` shows; a module of its own, so that pages load without it. */
export default function Modal({ open, onClose, title, width = 440, children }: DialogProps) {
  const { t } = useTranslation()
  useFocusBack()
  useEscape(open, onClose)
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
      >
        {children}
      </AntdModal>
    </AntdFrame>
  )
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
