import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/shared/api/errors'
import type { Quote } from '@/shared/api/types'
import { formatDuration } from '@/shared/lib/format'
import { useProblemText } from '@/shared/lib/problem-text'
import styles from './price-line.module.css'

type PriceLineProps = {
  quote: { data: Quote | undefined; error: Error | null }
  /** How many runs start at once. */
  count?: number
}

/** What a run costs, how long it takes, and the most it can cost; or that the user's own ceiling allows no run. */
export default function PriceLine({ quote: { data, error }, count = 1 }: PriceLineProps) {
  const { t } = useTranslation('appUse')
  const text = useProblemText()
  const isBeyond = error instanceof ApiError && error.code === 'CREDIT_CEILING'
  return <p className={styles.price}>{isBeyond ? text(error) : data && partsOf(data, count, t).join(' · ')}</p>
}

/** An upper value is worth showing if it is that many times the mean. */
const WIDE = 1.5
/** Shorter waits are not shown. */
const SHOWN_WAIT_SECONDS = 5

function partsOf(quote: Quote, count: number, t: TFunction<'appUse'>): string[] {
  const { expected, creditsPerSecond, mostCredits, etaSeconds } = quote
  const free = creditsPerSecond === 0
  const parts: string[] = free ? [t('price.free')] : []
  if (expected) {
    const { credits, upperCredits, runMs, upperRunMs } = expected
    const wide = upperRunMs > runMs * WIDE
    if (!free) {
      parts.push(
        wide && upperCredits > credits
          ? t('price.creditsUpTo', { low: credits * count, count: upperCredits * count })
          : t('price.credits', { count: credits * count }),
      )
    }
    const time = wide
      ? t('price.timeUpTo', { low: formatDuration(runMs), high: formatDuration(upperRunMs) })
      : t('price.time', { time: formatDuration(runMs) })
    parts.push(count > 1 ? t('price.each', { time }) : time)
  } else if (!free) {
    parts.push(t('price.rate', { count: creditsPerSecond }))
  }
  if (!free) parts.push(t('price.most', { count: mostCredits * count }))
  const wait = etaSeconds ? (etaSeconds.low + etaSeconds.high) / 2 : 0
  if (wait >= SHOWN_WAIT_SECONDS) parts.push(t('price.wait', { time: formatDuration(Math.round(wait) * 1000) }))
  return parts
}
