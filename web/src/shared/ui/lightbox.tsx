import { type KeyboardEvent, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { classNames } from '@/shared/lib/class-names'
import { Button } from './button'
import { keepFocus, useEscape, useLayerFocus } from './layers'
import styles from './lightbox.module.css'
import { RetryingImage } from './retrying-image'

type LightboxProps = {
  pictures: { url: string; alt: string }[]
  index: number
  onIndex: (index: number) => void
  onClose: () => void
  onDownload: (index: number) => void
}

/** One picture at full size on a dark layer. Arrow keys step, Escape closes. */
export function Lightbox({ pictures, index, onIndex, onClose, onDownload }: LightboxProps) {
  const { t } = useTranslation('jobs')
  const { t: common } = useTranslation()
  const layer = useRef<HTMLDivElement>(null)
  useLayerFocus(layer)
  useEscape(true, onClose)
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft' && index > 0) onIndex(index - 1)
    if (event.key === 'ArrowRight' && index < pictures.length - 1) onIndex(index + 1)
    keepFocus(event, layer.current)
  }
  const picture = pictures[index]
  if (!picture) return null
  return createPortal(
    <div
      ref={layer}
      className={styles.layer}
      role="dialog"
      aria-modal="true"
      aria-label={picture.alt}
      tabIndex={-1}
      onKeyDown={keys}
    >
      <div className={styles.bar}>
        <span className={styles.count}>{t('output.zoomed', { number: index + 1, total: pictures.length })}</span>
        <Button tone="ghost" icon="download" aria-label={common('download')} onClick={() => onDownload(index)} />
        <Button tone="ghost" icon="close" aria-label={common('close')} onClick={onClose} />
      </div>
      <div className={styles.stage}>
        <RetryingImage src={picture.url} alt={picture.alt} />
        {index > 0 && (
          <Button
            icon="left"
            className={classNames(styles.step, styles.previous)}
            aria-label={t('output.previous')}
            onClick={() => onIndex(index - 1)}
          />
        )}
        {index < pictures.length - 1 && (
          <Button
            icon="right"
            className={classNames(styles.step, styles.next)}
            aria-label={t('output.next')}
            onClick={() => onIndex(index + 1)}
          />
        )}
      </div>
    </div>,
    document.body,
  )
}
