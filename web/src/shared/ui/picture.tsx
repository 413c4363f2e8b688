import { type CSSProperties, useCallback, useRef, useState } from 'react'
import { classNames } from '@/shared/lib/class-names'
import { editionsOf, type Size, type Slot, sizesOf } from '@/shared/lib/media'
import { Blur } from './blur'
import { Clip } from './clip'
import { Icon } from './icon'
import styles from './picture.module.css'
import { RetryingImage } from './retrying-image'

type PictureProps = {
  src: string | null | undefined
  alt: string
  /** Another URL of the same picture, tried once if `src` fails. */
  fallback?: string | null
  /** Width by height of the box. */
  ratio?: number
  /** The width of the box, from which the browser picks the edition. */
  slots?: Slot[]
  /** The size of the picture, if known. */
  natural?: Size
  /** Above the fold: loads first and does not fade in. */
  eager?: boolean
  className?: string
  /** Whether `src` is a video. It plays on hover. */
  video?: boolean
  /** The poster of the video; its first frame by default. */
  poster?: string | null | undefined
  /** BlurHash placeholder. */
  blur?: string | null | undefined
  style?: CSSProperties
}

/** A picture that loads within this time appears at once; a later one fades in. */
const AT_ONCE_MS = 100

/** A picture in a box of fixed size, so that loading moves nothing. */
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
  // If there is a fallback URL, it is the second try.
  const Image = other ? 'img' : RetryingImage
  // A cached picture is complete before React sees its load event.
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
          // Before `src`: the browser requests `src` as soon as it is set.
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
