import styles from './avatar.module.css'

/** A person's picture, or the first letter of the name. The name itself stands beside it. */
export function Avatar({ name, url, size = 32 }: { name: string; url?: string | null | undefined; size?: number }) {
  return (
    <span className={styles.avatar} style={{ width: size, height: size, fontSize: size * 0.42 }} aria-hidden="true">
      {url ? <img src={url} alt="" /> : ([...name][0] ?? '?')}
    </span>
  )
}
