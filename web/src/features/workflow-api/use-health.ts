import { useEffect, useRef } from 'react'
import { freshProblems } from './model'
import type { HealthProblem } from './types'

/** Calls `found` when there are problems that were not known before. */
export function useFreshProblems(problems: readonly HealthProblem[], found: () => void): void {
  const known = useRef<readonly HealthProblem[]>([])
  const latest = useRef(found)
  latest.current = found
  useEffect(() => {
    const fresh = freshProblems(known.current, problems)
    known.current = problems
    if (fresh.length > 0) latest.current()
  }, [problems])
}
