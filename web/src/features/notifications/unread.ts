/** Refetch interval of the inbox, besides live events. */
export const REFETCH_MS = 300_000

export type Counts = { count: number; byType: Record<string, number> }

/** The badge's text: up to 99 in a narrow window, else up to 999. */
export function badge(count: number, wide: boolean): string {
  const most = wide ? 999 : 99
  return count > most ? `${most}+` : String(count)
}
