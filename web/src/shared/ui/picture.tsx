import { type CSSProperties, useCallback, useRef, useState } from 'react'
import { classNames } from '@/shared/lib/class-names'
import { editionsOf, type Size, type Slot, sizesOf } from '@/shared/lib/media'
import { Blur } from './blur'
import { Clip } from './clip'
import { Icon } from './icon'
import styles from './picture.module.css'
import { SturdyImage } from './sturdy-image'

type PictureProps = {
  src: string | null | undefined
  alt: string
  /** Another address of the same picture, tried once when `src` fails. */
  fallback?: string | null
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

/** What comes within this time is just there; what comes later fades in. */
const AT_ONCE_MS = 100

/** A picture in a box that has its size before the picture arrives, so that nothing jumps. */
export function Picture({
  src,
  alt,
  fallback,
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
  const [shown, setShown] = useState<'no' | 'atOnce' | 'faded'>('no')
  const since = useRef(0)
  const [failed, setFailed] = useState<string[]>([])
  const [address, other] = [...new Set([src, fallback])].filter(
    (one): one is string => Boolean(one) && !failed.includes(one as string),
  )
  // While there is another address of the picture, that is the second try.
  const Image = other ? 'img' : SturdyImage
  // A picture from the cache is complete before React hears its load event.
  const ready = useCallback((node: HTMLImageElement | null) => {
    since.current = performance.now()
    if (node?.complete && node.naturalWidth > 0) setShown('atOnce')
  }, [])
  const fail = (lost: string) => setFailed((before) => [...before, lost])
  return (
    <span className={classNames(styles.box, className)} style={ratio ? { ...style, aspectRatio: ratio } : style}>
      {blur && shown === 'no' && !video && address !== undefined && <Blur hash={blur} className={styles.blur} />}
      {address === undefined ? (
        <span className={styles.none}>
          <Icon name="picture" size={28} />
          {alt && <span className="visually-hidden">{alt}</span>}
        </span>
      ) : video ? (
        <Clip src={address} poster={poster} alt={alt} onError={() => fail(address)} />
      ) : (
        <Image
          key={address}
          ref={ready}
          // The order matters: a browser that has the address already asks for it at once.
          sizes={slots && sizesOf(slots, natural, ratio)}
          srcSet={slots && failed.length === 0 ? editionsOf(address, natural) : undefined}
          src={address}
          alt={alt}
          loading={eager ? 'eager' : 'lazy'}
          fetchPriority={eager ? 'high' : 'auto'}
          decoding="async"
          className={shown === 'atOnce' || eager ? styles.atOnce : shown === 'faded' ? styles.shown : undefined}
          onLoad={() => setShown(performance.now() - since.current < AT_ONCE_MS ? 'atOnce' : 'faded')}
          onError={() => fail(address)}
        />
      )}
    </span>
  )
}
