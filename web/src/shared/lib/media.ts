import type { Asset } from '@/shared/api/types'

/** The screen edition of a picture: WebP, up to 2,048 px. `Picture` derives the smaller ones from its URL. */
export const cardUrl = (asset: Asset | null | undefined): string | null =>
  asset ? `${asset.baseUrl}/media/optimal/${asset.key}` : null

/** The props of `Picture` for a file; empty if there is none. */
export const pictureOf = (asset: Asset | null | undefined) => ({
  src: cardUrl(asset),
  fallback: asset?.url ?? null,
  natural: asset ?? {},
})

/** In pixels; unknown if the file could not be read. */
export type Size = { width?: number | null | undefined; height?: number | null | undefined }

/** The CSS width of a picture, in windows up to `upTo` pixels or in all others. */
export type Slot = { upTo?: number; wide: string }

const LARGEST = '/media/optimal/'
/** The smaller editions and the box that each fits into. */
const EDITIONS = [
  { quality: 'w480', across: 480, down: 960 },
  { quality: 'w960', across: 960, down: 1920 },
]
const SCREEN = 2048

const fitted = (across: number, down: number, width: number, height: number) =>
  Math.round(width * Math.min(1, across / width, down / height))

/** The `srcset` of the picture at this URL; undefined if the URL has no editions. */
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
 * The `sizes` of these slots. A picture wider than its box is cropped at the sides, so it is drawn wider than the box.
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

/** A card in grids of five, four, three and two columns. */
export const CARD_SLOTS: Slot[] = [
  { upTo: 767, wide: 'calc(50vw - 22px)' },
  { upTo: 1023, wide: 'calc(33vw - 20px)' },
  { upTo: 1399, wide: 'calc(25vw - 88px)' },
  { wide: 'min(20vw - 74px, 320px)' },
]

/** A picture in the band of the home page: eight in a row, or a strip that scrolls. */
export const BAND_SLOTS: Slot[] = [{ upTo: 1023, wide: 'min(38vw, 200px)' }, { wide: 'min(12.5vw - 42px, 200px)' }]
