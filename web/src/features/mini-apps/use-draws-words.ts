import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { local } from '@/shared/lib/storage'
import { suggestionsQuery } from './api'

/** No app is made for this sentence: what fits it draws whatever is described. */
const PROBE = 'a lighthouse in a storm'
const FRESH_MS = 300_000
const KEPT = 'vg.drawsWords'

/** Whether an app that a connected worker can run draws what people describe. Until that is known, as it was last time. */
export function useDrawsWords(): boolean {
  const found = useQuery({ ...suggestionsQuery(PROBE), staleTime: FRESH_MS }).data
  const draws = found?.fitting.some((one) => one.drawsWords)
  useEffect(() => {
    if (draws === true) local.set(KEPT, 'yes')
    if (draws === false) local.remove(KEPT)
  }, [draws])
  return draws ?? local.get(KEPT) !== null
}
