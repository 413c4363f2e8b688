import { useCallback, useEffect, useRef, useState } from 'react'

/** After the last change; the editor itself reports changes at most every 0.3 s. */
const DELAY_MS = 1000
/** Until a check that failed is repeated, without another change. */
const RETRY_MS = 10_000

export type Checks<Result> = {
  /** Checks after the last change. */
  soon: () => void
  /** Checks now. */
  look: () => Promise<Result>
  /** Runs something else while no check runs. */
  alone: <Other>(run: () => Promise<Other>) => Promise<Other>
  /** Set when a change is reported, and unset by the check that has seen the last one. */
  pending: boolean
  setPending: (pending: boolean) => void
}

/** Runs checks of a graph that changes, one at a time. A failed one is repeated. */
export function useChecks<Result>(check: () => Promise<Result>): Checks<Result> {
  const [pending, setPending] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const running = useRef<Promise<unknown>>(Promise.resolve())
  const mounted = useRef(true)
  const stop = useCallback(() => {
    if (timer.current !== null) clearTimeout(timer.current)
    timer.current = null
  }, [])
  useEffect(() => {
    mounted.current = true
    return () => {
      mounted.current = false
      stop()
    }
  }, [stop])
  const alone = useCallback(<Other>(run: () => Promise<Other>): Promise<Other> => {
    const result = running.current.then(run)
    running.current = result.catch(() => undefined)
    return result
  }, [])
  const look = useCallback(() => {
    stop()
    const result = alone(check)
    result.then(
      () => timer.current === null && setPending(false),
      () => undefined,
    )
    return result
  }, [alone, check, stop])
  const after = useCallback(
    (delay: number) => {
      stop()
      if (!mounted.current) return
      timer.current = setTimeout(() => {
        look().catch(() => timer.current === null && after(RETRY_MS))
      }, delay)
    },
    [look, stop],
  )
  return {
    soon: useCallback(() => after(DELAY_MS), [after]),
    look,
    alone,
    pending,
    setPending,
  }
}
