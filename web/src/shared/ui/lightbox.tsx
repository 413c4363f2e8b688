import { type KeyboardEvent, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { classNames } from '@/shared/lib/class-names'
import { Button } from './button'
import { useEscape } from './layers'
import styles from './lightbox.module.css'
import { SturdyImage } from './sturdy-image'

type LightboxProps = {
  pictures: { url: string; alt: string }[]
  index: number
  onIndex: (index: number) => void
  onClose: () => void
  onDownload: (index: number) => void
}

/** One picture at full size in the dark; arrows step, Esc closes. */
export function Lightbox({ pictures, index, onIndex, onClose, onDownload }: LightboxProps) {
  const { t } = useTranslation('jobs')
  const { t: common } = useTranslation()
  const layer = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const before = document.activeElement
    layer.current?.focus()
    const overflow = document.body.style.overflow
    document.body.style.overflow = 'hidden'
    return () => {
      document.body.style.overflow = overflow
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  useEscape(true, onClose)
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft' && index > 0) onIndex(index - 1)
    if (event.key === 'ArrowRight' && index < pictures.length - 1) onIndex(index + 1)
    if (event.key === 'Tab') keepFocus(event, layer.current)
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
        <SturdyImage src={picture.url} alt={picture.alt} />
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

const FOCUSABLE =
  'button:not(:disabled, [tabindex="-1"]), a[href], video[controls], input:not(:disabled), select, [contenteditable=true]'

/** Tab stays inside the layer. */
export function keepFocus(event: KeyboardEvent, layer: HTMLElement | null): void {
  const all = [...(layer?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])]
  const first = all[0]
  const last = all[all.length - 1]
  if (!first || !last) return
  const outside = !all.includes(document.activeElement as HTMLElement)
  if (event.shiftKey ? document.activeElement === first || outside : document.activeElement === last || outside) {
    event.preventDefault()
    const target = event.shiftKey ? last : first
    target.focus()
  }
}
