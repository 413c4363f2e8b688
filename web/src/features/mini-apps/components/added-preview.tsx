import { useState } from 'react'
import { Icon } from '@/shared/ui/icon'
import { RetryingImage } from '@/shared/ui/retrying-image'
import styles from './added-preview.module.css'

/** A chosen picture. Browsers cannot show every format, such as HEIC: then a symbol stands for it. */
export function AddedPreview({ src, alt }: { src: string; alt: string }) {
  const [broken, setBroken] = useState<string | null>(null)
  if (broken !== src) return <RetryingImage src={src} alt={alt} onError={() => setBroken(src)} />
  return (
    <span className={styles.symbol} role="img" aria-label={alt}>
      <Icon name="picture" size={40} />
    </span>
  )
}
