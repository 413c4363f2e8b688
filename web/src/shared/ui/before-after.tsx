import { type CSSProperties, type KeyboardEvent, useState } from 'react'
import { classNames } from '@/shared/lib/class-names'
import styles from './before-after.module.css'
import { Icon } from './icon'
import { RetryingImage } from './retrying-image'

type Side = { url: string; label: string }
type BeforeAfterProps = {
  before: Side
  after: Side
  label: string
  valueText: (percent: number) => string
  /** Shows a checkerboard where the second picture is transparent. */
  checkered?: boolean
}

/**
 * Two pictures above each other with a movable border, in the size of the second. The first is fitted into it. Fills
 * its parent, which needs a height.
 */
export function BeforeAfter({ before, after, label, valueText, checkered = false }: BeforeAfterProps) {
  const [border, setBorder] = useState(50)
  const [ratio, setRatio] = useState<number>()
  // Arrow keys move the border here, and may mean something else around it.
  const keep = (event: KeyboardEvent) => {
    if (event.key.startsWith('Arrow') || event.key === 'Home' || event.key === 'End') event.stopPropagation()
  }
  const style = { '--border': `${border}%`, ...(ratio && { '--ratio': ratio }) } as CSSProperties
  return (
    <div className={styles.frame}>
      <div className={classNames(styles.pair, checkered && styles.checkered)} style={style}>
        <RetryingImage
          src={after.url}
          alt={after.label}
          className={styles.picture}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            naturalHeight > 0 && setRatio(naturalWidth / naturalHeight)
          }
        />
        <span className={styles.before}>
          <RetryingImage src={before.url} alt={before.label} className={styles.picture} />
        </span>
        <span className={styles.start} aria-hidden="true">
          {before.label}
        </span>
        <span className={styles.end} aria-hidden="true">
          {after.label}
        </span>
        <input
          type="range"
          className={styles.range}
          min={0}
          max={100}
          step={1}
          value={border}
          aria-label={label}
          aria-valuetext={valueText(border)}
          onChange={(event) => setBorder(Number(event.target.value))}
          onKeyDown={keep}
        />
        <span className={styles.handle} aria-hidden="true">
          <span className={styles.grip}>
            <Icon name="left" size={14} />
            <Icon name="right" size={14} />
          </span>
        </span>
      </div>
    </div>
  )
}
