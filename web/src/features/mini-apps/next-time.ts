/** The next time of day, such as `07:00` in the user's time zone, as the API writes times. */
export function nextTime(timeOfDay: string, now = new Date()): string {
  const [hours = 0, minutes = 0] = timeOfDay.split(':').map(Number)
  const at = new Date(now)
  at.setHours(hours, minutes, 0, 0)
  if (at <= now) at.setDate(at.getDate() + 1)
  return at.toISOString()
}
