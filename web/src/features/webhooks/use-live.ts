import { useEffect, useState } from 'react'

/** Whether it is before a time, for ever where that is infinite. Whoever shows it is drawn anew when the time has come. */
export function useLive(until: number): boolean {
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
