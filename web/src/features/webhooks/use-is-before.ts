import { useEffect, useState } from 'react'

/** Whether `until` is in the future. Re-renders when it has passed. */
export function useIsBefore(until: number): boolean {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const left = until - Date.now()
    setNow(Date.now())
    if (left <= 0 || !Number.isFinite(left)) return
    const timer = setTimeout(() => setNow(Date.now()), left + 1)
    return () => clearTimeout(timer)
  }, [until])
  return until > now
}
