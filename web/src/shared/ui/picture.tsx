import { type CSSProperties, useCallback, useState } from 'react'
import { classNames } from '@/shared/lib/class-names'
import { Blur } from './blur'
import { Clip } from './clip'
import { Icon } from './icon'
import styles from './picture.module.css'

type PictureProps = {
  src: string | null | undefined
  alt: string
  /** Another address of the same picture, tried once when `src` fails. */
  fallback?: string | null
  ratio?: number
  eager?: boolean
  className?: string
  /** Whether `src` is a video: it stands still until it is pointed at. */
  video?: boolean
  /** A still picture of the video; its first frame where there is none. */
  poster?: string | null | undefined
  /** Colours to show until the picture is there. */
  blur?: string | null | undefined
  style?: CSSProperties
}

/** A picture in a box that has its size before the picture arrives, so that nothing jumps. */
export function Picture({
  src,
  alt,
  fallback,
  ratio,
  eager = false,
  className,
  video = false,
  poster,
  blur,
  style,
}: PictureProps) {
  const [shown, setShown] = useState(false)
  const [failed, setFailed] = useState<string[]>([])
  const address = [src, fallback].find((a): a is string => Boolean(a) && !failed.includes(a as string))
  // A picture from the cache is complete before React hears its load event.
  const ready = useCallback((node: HTMLImageElement | null) => {
    if (node?.complete && node.naturalWidth > 0) setShown(true)
  }, [])
  const fail = (lost: string) => setFailed((before) => [...before, lost])
  return (
    <span className={classNames(styles.box, className)} style={ratio ? { ...style, aspectRatio: ratio } : style}>
      {blur && !shown && !video && address !== undefined && <Blur hash={blur} className={styles.blur} />}
      {address === undefined ? (
        <span className={styles.none}>
          <Icon name="picture" size={28} />
          {alt && <span className="visually-hidden">{alt}</span>}
        </span>
      ) : video ? (
        <Clip src={address} poster={poster} alt={alt} onError={() => fail(address)} />
      ) : (
        <img
          key={address}
          ref={ready}
          src={address}
          alt={alt}
          loading={eager ? 'eager' : 'lazy'}
          decoding="async"
          className={shown ? styles.shown : undefined}
          onLoad={() => setShown(true)}
          onError={() => fail(address)}
        />
      )}
    </span>
  )
}
