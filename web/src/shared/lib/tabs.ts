/** Other tabs of this site. Without channels, each tab finds out by its next request. */
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('vg.session')

/** Tells the other tabs that the user signed in or out. */
export const notifyTabs = (): void => channel?.postMessage('changed')

/** Calls `listener` when another tab does so. */
export function onTabMessage(listener: () => void): () => void {
  channel?.addEventListener('message', listener)
  return () => channel?.removeEventListener('message', listener)
}
