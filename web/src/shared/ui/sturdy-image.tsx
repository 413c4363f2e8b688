import { type ComponentProps, type SyntheticEvent, useEffect, useState } from 'react'
import { onReturn } from '@/shared/api/connection'

/** How long after a failure the same address is asked for once more. */
const AGAIN_MS = 1500

type SturdyImageProps = Omit<ComponentProps<'img'>, 'alt' | 'src'> & { src: string; alt: string }

/**
 * An image that is asked for once more when it fails, and again when the server was away and is back. `onError` hears
 * of the second failure.
 */
export function SturdyImage({ src, alt, onError, ...rest }: SturdyImageProps) {
  const { key, failed } = useSecondTry(src, onError)
  return <img {...rest} key={key} src={src} alt={alt} onError={failed} />
}

/** `key` is another one for each try: the browser asks for the address anew then. */
export function useSecondTry<Media extends HTMLImageElement | HTMLVideoElement>(
  src: string,
  onError: ((event: SyntheticEvent<Media>) => void) | undefined,
) {
  const [tries, setTries] = useState({ of: src, number: 0, lost: false })
  const now = tries.of === src ? tries : { of: src, number: 0, lost: false }
  const { lost, number } = now
  useEffect(() => {
    if (!lost) return
    const next = () => setTries({ of: src, number: number + 1, lost: false })
    const timer = number === 0 ? setTimeout(next, AGAIN_MS) : undefined
    const ignore = onReturn(next)
    return () => {
      clearTimeout(timer)
      ignore()
    }
  }, [src, lost, number])
  const failed = (event: SyntheticEvent<Media>) => {
    setTries({ of: src, number, lost: true })
    if (number > 0) onError?.(event)
  }
  return { key: `${src} ${number}`, failed }
}
