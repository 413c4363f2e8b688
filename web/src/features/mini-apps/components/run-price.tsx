import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, Suspense, useEffect } from 'react'
import { api, data } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import type { Quote } from '@/shared/api/types'
import { chunk } from '@/shared/lib/chunk'
import { lazyPart } from '@/shared/ui/lazy-part'
import { SilentRetry } from '@/shared/ui/load-error'
import type { RunTerms } from '../api'
import PriceLine from './price-line'

const RunWhen = lazyPart(
  chunk(() => import('./run-when')),
  SilentRetry,
)

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
  /** Takes the terms that the user chooses. Without it there is no choice. */
  when?: RefObject<(() => RunTerms) | null>
}

/** What a run costs by earlier runs or, before the first one, by its rate; how long it takes, and the most it can cost. */
export default function RunPrice({ app, signedIn, count = 1, ended = null, when }: RunPriceProps) {
  const client = useQueryClient()
  const quote = useQuery(quoteQuery(app, signedIn))
  useEffect(() => {
    if (ended) void client.invalidateQueries({ queryKey: [...keys.miniApps.quote, app] })
  }, [client, app, ended])
  const { data } = quote
  const hasChoice = when && signedIn && data && data.creditsPerSecond > 0 && data.flex.percent < 100
  const line = <PriceLine quote={quote} count={count} />
  if (!hasChoice) return line
  return (
    <Suspense fallback={line}>
      <RunWhen quote={data} when={when} />
    </Suspense>
  )
}
