/** How often the box is asked for, beside what is told live. */
export const REFETCH_MS = 300_000

/** Unread notifications, in all and of each type. */
export type Counts = { count: number; byType: Record<string, number> }

/** What a badge says: up to 99 where there is little room, and up to 999. */
export function badge(count: number, wide: boolean): string {
  const most = wide ? 999 : 99
  return count > most ? `${most}+` : String(count)
}
