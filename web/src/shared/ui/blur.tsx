import { decode, isBlurhashValid } from 'blurhash'
import { useCallback } from 'react'

/** Size of the canvas; the browser scales it smoothly. */
const WIDTH = 8
const HEIGHT = 6

/** A picture that loads within this time needs no placeholder. */
const DELAY_MS = 50

/** The blurred colours of a picture until it has loaded. */
export function Blur({ hash, className }: { hash: string; className?: string | undefined }) {
  const draw = useCallback(
    (canvas: HTMLCanvasElement) => {
      const timer = setTimeout(() => {
        const context = canvas.getContext('2d')
        if (!context || !isBlurhashValid(hash).result) return
        const pixels = new Uint8ClampedArray(decode(hash, WIDTH, HEIGHT))
        context.putImageData(new ImageData(pixels, WIDTH, HEIGHT), 0, 0)
      }, DELAY_MS)
      return () => clearTimeout(timer)
    },
    [hash],
  )
  return <canvas ref={draw} width={WIDTH} height={HEIGHT} className={className} />
}
