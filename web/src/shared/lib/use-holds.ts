import { useCallback, useState } from 'react'

/** Says that something has to end before all is sent; what it gives back is called when it has. */
export type Hold = () => () => void

/** What has to end before something is sent that would go without it: files on their way. */
export function useHolds(): { held: boolean; hold: Hold } {
  const [holds, setHolds] = useState(0)
  const hold = useCallback<Hold>(() => {
    let ended = false
    setHolds((before) => before + 1)
    return () => {
      if (!ended) setHolds((before) => before - 1)
      ended = true
    }
  }, [])
  return { held: holds > 0, hold }
}
