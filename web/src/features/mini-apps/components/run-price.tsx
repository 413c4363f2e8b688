import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, data } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import type { Quote } from '@/shared/api/types'
import PriceLine from './price-line'

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

/** What a run costs by earlier runs or, before the first one, by its rate; how long it takes, and the most it can cost. */
export default function RunPrice({ app, signedIn, count = 1, ended = null }: RunPriceProps) {
  const client = useQueryClient()
  const quote = useQuery(quoteQuery(app, signedIn))
  useEffect(() => {
    if (ended) void client.invalidateQueries({ queryKey: [...keys.miniApps.quote, app] })
  }, [client, app, ended])
  return <PriceLine quote={quote} count={count} />
}
