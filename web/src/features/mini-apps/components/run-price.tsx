import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { api, data } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import type { Quote } from '@/shared/api/types'
import { formatDuration } from '@/shared/lib/format'
import styles from './run-price.module.css'

/** The price and the time of a run. */
const quoteQuery = (id: string, signedIn: boolean) =>
  queryOptions({
    queryKey: [...keys.miniApps.quote, id, signedIn] as const,
    queryFn: ({ signal }): Promise<Quote> => {
      const params = { path: { id } }
      return data(
        signedIn
          ? api.GET('/api/general/workflow-api/{id}/quote', { params, signal })
          : api.GET('/api/public/workflow-api/{id}/quote', { params, signal }),
      )
    },
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })

type RunPriceProps = {
  app: string
  signedIn: boolean
  /** How many runs start at once. */
  count?: number
  /** The id of the last ended run, after which the quote is asked for again. */
  ended?: string | null
}

/** What a run costs and how long it takes, by earlier runs. Without one, its rate and the most it can cost. */
export default function RunPrice({ app, signedIn, count = 1, ended = null }: RunPriceProps) {
  const { t } = useTranslation('appUse')
  const client = useQueryClient()
  const quote = useQuery(quoteQuery(app, signedIn))
  useEffect(() => {
    if (ended) void client.invalidateQueries({ queryKey: [...keys.miniApps.quote, app] })
  }, [client, app, ended])
  return <p className={styles.price}>{quote.data && partsOf(quote.data, count, t).join(' · ')}</p>
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
    parts.push(t('price.rate', { count: creditsPerSecond }), t('price.most', { count: mostCredits * count }))
  }
  const wait = etaSeconds ? (etaSeconds.low + etaSeconds.high) / 2 : 0
  if (wait >= SHOWN_WAIT_SECONDS) parts.push(t('price.wait', { time: formatDuration(Math.round(wait) * 1000) }))
  return parts
}
