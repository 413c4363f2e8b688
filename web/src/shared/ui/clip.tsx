import { useEffect, useRef, useState } from 'react'
import { useMedia } from '@/shared/lib/use-media'
import styles from './picture.module.css'
import { RetryingImage } from './retrying-image'

type ClipProps = { src: string; poster: string | null | undefined; alt: string; onError: () => void }

/** Stops the clip that was last touched: touch has no leave event. */
let stopTouched: (() => void) | null = null

/**
 * A video that plays muted while the surrounding link or button is hovered, focused or was touched last. With reduced
 * motion it never plays. With a poster, nothing of the video loads before it plays; without one, only its first frame
 * does.
 */
export function Clip({ src, poster, alt, onError }: ClipProps) {
  const reducedMotion = useMedia('(prefers-reduced-motion: reduce)')
  const box = useRef<HTMLSpanElement>(null)
  const [playing, setPlaying] = useState(false)
  const plays = playing && !reducedMotion
  useEffect(() => {
    const host = box.current?.closest<HTMLElement>('a, button') ?? box.current
    if (!host || reducedMotion) return
    const stop = () => setPlaying(false)
    const start = (event: Event) => {
      if (event instanceof PointerEvent && event.pointerType === 'touch') {
        if (stopTouched !== stop) stopTouched?.()
        stopTouched = stop
      }
      setPlaying(true)
    }
    const leave = (event: Event) => {
      if (event instanceof PointerEvent && event.pointerType === 'touch') return
      stop()
    }
    host.addEventListener('pointerenter', start)
    host.addEventListener('pointerleave', leave)
    host.addEventListener('focusin', start)
    host.addEventListener('focusout', stop)
    return () => {
      host.removeEventListener('pointerenter', start)
      host.removeEventListener('pointerleave', leave)
      host.removeEventListener('focusin', start)
      host.removeEventListener('focusout', stop)
      if (stopTouched === stop) stopTouched = null
    }
  }, [reducedMotion])
  return (
    <span ref={box} className={styles.clip}>
      {poster && <RetryingImage src={poster} alt={alt} className={styles.poster} loading="lazy" decoding="async" />}
      {(plays || !poster) && (
        <ClipVideo key={src} src={src} plays={plays} label={poster ? '' : alt} onError={onError} />
      )}
    </span>
  )
}

type ClipVideoProps = { src: string; plays: boolean; label: string; onError: () => void }

function ClipVideo({ src, plays, label, onError }: ClipVideoProps) {
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    const node = video.current
    if (!node) return
    if (plays) {
      // The browser may refuse to play; the poster stays.
      void node.play()?.catch(() => undefined)
    } else {
      node.pause()
      node.currentTime = 0
    }
  }, [plays])
  return (
    <video
      ref={video}
      src={src}
      preload={plays ? 'auto' : 'metadata'}
      muted
      loop
      playsInline
      aria-label={label || undefined}
      onError={onError}
    />
  )
}
