import { useState } from 'react'
import styles from './avatar.module.css'
import { RetryingImage } from './retrying-image'

/** A user's picture, or the first letter of the name. The name must be shown beside it. */
export function Avatar({ name, url, size = 32 }: { name: string; url?: string | null | undefined; size?: number }) {
  const [lost, setLost] = useState<string>()
  return (
    <span className={styles.avatar} style={{ width: size, height: size, fontSize: size * 0.42 }} aria-hidden="true">
      {url && lost !== url ? <RetryingImage src={url} alt="" onError={() => setLost(url)} /> : ([...name][0] ?? '?')}
    </span>
  )
}
