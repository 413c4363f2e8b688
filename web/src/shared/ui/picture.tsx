import { type CSSProperties, useCallback, useState } from 'react'
import { classNames } from '@/shared/lib/class-names'
import { editionsOf, type Size, type Slot, sizesOf } from '@/shared/lib/media'
import { Blur } from './blur'
import { Clip } from './clip'
import { Icon } from './icon'
import styles from './picture.module.css'

type PictureProps = {
  src: string | null | undefined
  alt: string
  /** Another address of the same picture, tried once when `src` fails. */
  fallback?: string | null
  /** An edition 200 px wide: enough for a narrow cell where a pixel is a pixel, and a tenth of the bytes. */
  small?: string | null | undefined
  /** Width by height of the box. */
  ratio?: number
  /** How wide the box is: the browser then takes the edition that is just sharp enough. */
  slots?: Slot[]
  /** The size of the picture itself, where it is known. */
  natural?: Size
  /** One of the first that people see: it is fetched before others and does not fade in. */
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

/** One pixel of the picture is one of the screen, and five columns are hardly wider than the small edition. */
const PLAIN_SCREEN = '(min-width: 1024px) and (max-width: 1535px) and (max-resolution: 1.05dppx)'

/** A picture in a box that has its size before the picture arrives, so that nothing jumps. */
export function Picture({
  src,
  alt,
  fallback,
  small,
  ratio,
  slots,
  natural = {},
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
        <picture key={address} className={styles.editions}>
          {small && failed.length === 0 && <source media={PLAIN_SCREEN} srcSet={small} />}
          <img
            ref={ready}
            // The order matters: a browser that has the address already asks for it at once.
            sizes={slots && sizesOf(slots, natural, ratio)}
            srcSet={slots && failed.length === 0 ? editionsOf(address, natural) : undefined}
            src={address}
            alt={alt}
            loading={eager ? 'eager' : 'lazy'}
            fetchPriority={eager ? 'high' : 'auto'}
            decoding="async"
            className={shown || eager ? styles.shown : undefined}
            onLoad={() => setShown(true)}
            onError={() => fail(address)}
          />
        </picture>
      )}
    </span>
  )
}
