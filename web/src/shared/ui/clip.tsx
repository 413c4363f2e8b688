import { useEffect, useRef, useState } from 'react'
import { useMedia } from '@/shared/lib/use-media'
import styles from './picture.module.css'
import { SturdyImage } from './sturdy-image'

type ClipProps = { src: string; poster: string | null | undefined; alt: string; onError: () => void }

/** Stops the clip that a finger began: there is no leaving with a finger. */
let stopTouched: (() => void) | null = null

/**
 * A video that stands still and plays without sound while the link or button around it is pointed at, has the focus
 * or was touched last. Whoever asked the system for less motion sees it stand still. Nothing of the video is fetched
 * before it plays, where it has a poster; else just enough for its first frame.
 */
export function Clip({ src, poster, alt, onError }: ClipProps) {
  const still = useMedia('(prefers-reduced-motion: reduce)')
  const box = useRef<HTMLSpanElement>(null)
  const [playing, setPlaying] = useState(false)
  const plays = playing && !still
  useEffect(() => {
    const host = box.current?.closest<HTMLElement>('a, button') ?? box.current
    if (!host || still) return
    const stop = () => setPlaying(false)
    const begin = (event: Event) => {
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
    host.addEventListener('pointerenter', begin)
    host.addEventListener('pointerleave', leave)
    host.addEventListener('focusin', begin)
    host.addEventListener('focusout', stop)
    return () => {
      host.removeEventListener('pointerenter', begin)
      host.removeEventListener('pointerleave', leave)
      host.removeEventListener('focusin', begin)
      host.removeEventListener('focusout', stop)
      if (stopTouched === stop) stopTouched = null
    }
  }, [still])
  return (
    <span ref={box} className={styles.clip}>
      {poster && <SturdyImage src={poster} alt={alt} className={styles.poster} loading="lazy" decoding="async" />}
      {(plays || !poster) && <Film key={src} src={src} plays={plays} label={poster ? '' : alt} onError={onError} />}
    </span>
  )
}

type FilmProps = { src: string; plays: boolean; label: string; onError: () => void }

function Film({ src, plays, label, onError }: FilmProps) {
  const film = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    const node = film.current
    if (!node) return
    if (plays) {
      // A browser may refuse to play; the still picture is there then.
      void node.play()?.catch(() => undefined)
    } else {
      node.pause()
      node.currentTime = 0
    }
  }, [plays])
  return (
    <video
      ref={film}
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
