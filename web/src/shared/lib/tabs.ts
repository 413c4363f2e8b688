/** Other tabs of this site in this browser. Where the browser has no channels, each tab finds out by itself. */
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('vg.session')

/** Tells the other tabs that somebody signed in or out. */
export const tellTabs = (): void => channel?.postMessage('changed')

/** Called when another tab tells so. */
export function hearTabs(listener: () => void): () => void {
  channel?.addEventListener('message', listener)
  return () => channel?.removeEventListener('message', listener)
}
