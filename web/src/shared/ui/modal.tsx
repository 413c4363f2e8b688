import { Modal as AntdModal } from 'antd'
import { useTranslation } from 'react-i18next'
import { AntdFrame } from './antd-frame'
import type { DialogProps } from './dialog'
import styles from './dialog.module.css'

/** What `Dialog` shows; a module of its own, so that pages load without it. */
export default function Modal({ open, onClose, title, width = 440, children }: DialogProps) {
  const { t } = useTranslation()
  return (
    <AntdFrame>
      <AntdModal
        open={open}
        onCancel={onClose}
        footer={null}
        width={width}
        centered
        destroyOnHidden
        title={<span className={styles.title}>{title}</span>}
        closable={{ 'aria-label': t('close') }}
      >
        {children}
      </AntdModal>
    </AntdFrame>
  )
}
