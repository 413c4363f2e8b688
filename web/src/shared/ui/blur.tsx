import { useCallback } from 'react'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~'
/** Pixels that are drawn; the browser makes them smooth. */
const ACROSS = 8
const DOWN = 6

const number = (text: string) => [...text].reduce((sum, letter) => sum * 83 + Math.max(0, ALPHABET.indexOf(letter)), 0)

const linear = (value: number) => {
  const part = value / 255
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}

const srgb = (value: number) => {
  const part = Math.min(1, Math.max(0, value))
  return Math.round((part <= 0.003_130_8 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055) * 255)
}

const squared = (value: number) => Math.sign(value) * value * value

/** The colours that a BlurHash stands for, as RGBA pixels; `null` for a text that is none. */
export function readBlur(hash: string, across = ACROSS, down = DOWN): Uint8ClampedArray<ArrayBuffer> | null {
  const shape = number(hash.slice(0, 1))
  const [wide, high] = [(shape % 9) + 1, Math.floor(shape / 9) + 1]
  if (hash.length !== 4 + 2 * wide * high) return null
  const top = (number(hash.slice(1, 2)) + 1) / 166
  const mean = number(hash.slice(2, 6))
  const factors = [[linear(mean >> 16), linear((mean >> 8) & 255), linear(mean & 255)]]
  for (let at = 6; at < hash.length; at += 2) {
    const value = number(hash.slice(at, at + 2))
    const parts = [Math.floor(value / 361), Math.floor(value / 19) % 19, value % 19]
    factors.push(parts.map((part) => squared((part - 9) / 9) * top))
  }
  const pixels = new Uint8ClampedArray(across * down * 4)
  for (let y = 0; y < down; y += 1) {
    for (let x = 0; x < across; x += 1) {
      const sum = [0, 0, 0]
      factors.forEach((factor, place) => {
        const wave =
          Math.cos((Math.PI * (x + 0.5) * (place % wide)) / across) *
          Math.cos((Math.PI * (y + 0.5) * Math.floor(place / wide)) / down)
        factor.forEach((part, colour) => {
          sum[colour] = (sum[colour] ?? 0) + part * wave
        })
      })
      pixels.set([...sum.map(srgb), 255], (y * across + x) * 4)
    }
  }
  return pixels
}

/** A picture that comes within this time needs no colours in its place. */
const PATIENCE_MS = 50

/** A picture's colours, until the picture itself is there. */
export function Blur({ hash, className }: { hash: string; className?: string | undefined }) {
  const draw = useCallback(
    (canvas: HTMLCanvasElement) => {
      const timer = setTimeout(() => {
        const pixels = readBlur(hash)
        const pen = canvas.getContext('2d')
        if (pixels && pen) pen.putImageData(new ImageData(pixels, ACROSS, DOWN), 0, 0)
      }, PATIENCE_MS)
      return () => clearTimeout(timer)
    },
    [hash],
  )
  return <canvas ref={draw} width={ACROSS} height={DOWN} className={className} />
}
