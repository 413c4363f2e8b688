import { type KeyboardEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { classNames } from '@/shared/lib/class-names'
import { BeforeAfter } from './before-after'
import { Button } from './button'
import { keepFocus, useEscape, useLayerFocus } from './layers'
import styles from './lightbox.module.css'
import { RetryingImage } from './retrying-image'
import { Select } from './select'

type LightboxProps = {
  pictures: { url: string; alt: string }[]
  index: number
  onIndex: (index: number) => void
  onClose: () => void
  onDownload: (index: number) => void
  /** Pictures that the shown one was made from, to compare it with. */
  inputs?: { url: string; name: string }[]
}

/** One picture at full size on a dark layer, or beside what it was made from. Arrow keys step, Escape closes. */
export default function Lightbox({ pictures, index, onIndex, onClose, onDownload, inputs = [] }: LightboxProps) {
  const { t: common } = useTranslation()
  const { t } = useTranslation('files')
  const layer = useRef<HTMLDivElement>(null)
  useLayerFocus(layer)
  useEscape(true, onClose)
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft' && index > 0) onIndex(index - 1)
    if (event.key === 'ArrowRight' && index < pictures.length - 1) onIndex(index + 1)
    keepFocus(event, layer.current)
  }
  const [comparing, setComparing] = useState(false)
  const [chosen, setChosen] = useState(0)
  const picture = pictures[index]
  const input = inputs[chosen] ?? inputs[0]
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
        <span className={styles.count}>{t('lightbox.zoomed', { number: index + 1, total: pictures.length })}</span>
        {comparing && inputs.length > 1 && (
          <Select
            className={styles.input}
            aria-label={t('compare.input')}
            value={chosen}
            onChange={(event) => setChosen(Number(event.target.value))}
          >
            {inputs.map(({ url, name }, at) => (
              <option key={url} value={at}>
                {name}
              </option>
            ))}
          </Select>
        )}
        {input && (
          <Button
            size="small"
            tone={comparing ? 'primary' : 'outline'}
            aria-pressed={comparing}
            aria-label={t('compare.action')}
            title={t('compare.action')}
            onClick={() => setComparing(!comparing)}
          >
            {t('compare.short')}
          </Button>
        )}
        <Button tone="ghost" icon="download" aria-label={common('download')} onClick={() => onDownload(index)} />
        <Button tone="ghost" icon="close" aria-label={common('close')} onClick={onClose} />
      </div>
      <div className={styles.stage}>
        {comparing && input ? (
          <BeforeAfter
            key={`${input.url} ${picture.url}`}
            before={{ url: input.url, label: t('compare.before') }}
            after={{ url: picture.url, label: t('compare.after') }}
            label={t('compare.border')}
            valueText={(percent) => t('compare.borderAt', { percent })}
          />
        ) : (
          <RetryingImage src={picture.url} alt={picture.alt} />
        )}
        {index > 0 && (
          <Button
            icon="left"
            className={classNames(styles.step, styles.previous)}
            aria-label={t('lightbox.previous')}
            onClick={() => onIndex(index - 1)}
          />
        )}
        {index < pictures.length - 1 && (
          <Button
            icon="right"
            className={classNames(styles.step, styles.next)}
            aria-label={t('lightbox.next')}
            onClick={() => onIndex(index + 1)}
          />
        )}
      </div>
    </div>,
    document.body,
  )
}
