import type { Asset } from '@/shared/api/types'

/** The edition of a picture for cards and pages: WebP, as wide as a screen. The w200 edition blurs on a card. */
export const cardUrl = (asset: Asset | null | undefined): string | null =>
  asset ? `${asset.baseUrl}/media/optimal/${asset.key}` : null
