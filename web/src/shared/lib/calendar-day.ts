/** A day of the calendar, such as `2026-01-31`; `undefined` if the text is none. */
export function calendarDay(text: string): string | undefined {
  const start = /^\d{4}-\d{2}-\d{2}$/.test(text) && text >= '0001' ? new Date(`${text}T00:00:00Z`) : undefined
  // The 31st of a shorter month becomes a day of the next month.
  const isDay = start && !Number.isNaN(start.getTime()) && start.toISOString().startsWith(text)
  return isDay ? text : undefined
}
