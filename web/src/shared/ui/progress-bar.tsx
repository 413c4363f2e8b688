import { classNames } from '@/shared/lib/class-names'
import styles from './progress-bar.module.css'

/** `share` is 0 to 1; null for an unknown progress. */
export function ProgressBar({ share, label }: { share: number | null; label: string }) {
  const percent = share === null ? undefined : Math.round(share * 100)
  return (
    <div
      className={classNames(styles.track, share === null && styles.unknown)}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <div className={styles.fill} style={share === null ? undefined : { transform: `scaleX(${share})` }} />
    </div>
  )
}
