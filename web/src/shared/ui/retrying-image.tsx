import { type ComponentProps, useEffect, useState } from 'react'
import { onReconnect } from '@/shared/api/connection'

/** How long after a failure the same URL is requested again. */
const RETRY_MS = 1500

type RetryingImageProps = Omit<ComponentProps<'img'>, 'alt' | 'src'> & { src: string; alt: string }

/**
 * An image that retries once after a failure, and again when the server is reachable again. `onError` is called after
 * the second failure.
 */
export function RetryingImage({ src, alt, onError, ...rest }: RetryingImageProps) {
  const [state, setState] = useState({ of: src, tries: 0, failed: false })
  const { tries, failed } = state.of === src ? state : { tries: 0, failed: false }
  useEffect(() => {
    if (!failed) return
    const retry = () => setState({ of: src, tries: tries + 1, failed: false })
    const timer = tries === 0 ? setTimeout(retry, RETRY_MS) : undefined
    const stop = onReconnect(retry)
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [src, failed, tries])
  return (
    <img
      {...rest}
      // A new key makes the browser request the URL again.
      key={`${src} ${tries}`}
      src={src}
      alt={alt}
      onError={(event) => {
        setState({ of: src, tries, failed: true })
        if (tries > 0) onError?.(event)
      }}
    />
  )
}
