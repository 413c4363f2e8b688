import type { Asset } from '@/shared/api/types'

/** The edition of a picture for screens: WebP, up to 2,048 px. `Picture` finds the smaller ones by its address. */
export const cardUrl = (asset: Asset | null | undefined): string | null =>
  asset ? `${asset.baseUrl}/media/optimal/${asset.key}` : null

/** A file as `Picture` shows it, its address and size; nothing where there is no file. */
export const pictureOf = (asset: Asset | null | undefined) => ({
  src: cardUrl(asset),
  fallback: asset?.url ?? null,
  natural: asset ?? {},
})

/** In pixels; unknown for what could not be read. */
export type Size = { width?: number | null | undefined; height?: number | null | undefined }

/** How wide a picture is drawn, as CSS says lengths; in windows up to `upTo` pixels, or in all others. */
export type Slot = { upTo?: number; wide: string }

const LARGEST = '/media/optimal/'
/** The smaller editions, and the box that each fits. */
const EDITIONS = [
  { quality: 'w480', across: 480, down: 960 },
  { quality: 'w960', across: 960, down: 1920 },
]
const SCREEN = 2048

const fitted = (across: number, down: number, width: number, height: number) =>
  Math.round(width * Math.min(1, across / width, down / height))

/** The editions of the picture at this address, as `srcset` names them; none where the address has no others. */
export function editionsOf(address: string, { width, height }: Size): string | undefined {
  if (!address.includes(LARGEST)) return undefined
  const [wide, high] = width && height ? [width, height] : [SCREEN, SCREEN]
  const largest = fitted(SCREEN, SCREEN, wide, high)
  return [
    ...EDITIONS.map((one) => ({
      url: address.replace(LARGEST, `/media/${one.quality}/`),
      wide: fitted(one.across, one.down, wide, high),
    })).filter((one) => one.wide < largest),
    { url: address, wide: largest },
  ]
    .map((one) => `${one.url} ${one.wide}w`)
    .join(', ')
}

/**
 * Slots as `sizes` names them. A picture that is wider than its box is cut at both sides: what is drawn of it is wider
 * than the box.
 */
export function sizesOf(slots: Slot[], { width, height }: Size, box: number | undefined): string {
  const cut = box && width && height ? Math.max(1, width / height / box) : 1
  return slots
    .map(({ upTo, wide }) => {
      const drawn = cut > 1.01 ? `calc((${wide}) * ${cut.toFixed(2)})` : wide
      return upTo ? `(max-width: ${upTo}px) ${drawn}` : drawn
    })
    .join(', ')
}

/** A card of the grids with five, four, three and two columns. */
export const CARD_SLOTS: Slot[] = [
  { upTo: 767, wide: 'calc(50vw - 22px)' },
  { upTo: 1023, wide: 'calc(33vw - 20px)' },
  { upTo: 1399, wide: 'calc(25vw - 88px)' },
  { wide: 'min(20vw - 74px, 320px)' },
]

/** One of the home page's band: eight beside each other, or a strip to push aside. */
export const BAND_SLOTS: Slot[] = [{ upTo: 1023, wide: 'min(38vw, 200px)' }, { wide: 'min(12.5vw - 42px, 200px)' }]
