/** Calls `call` once the page has loaded and the browser is idle. */
export function onIdle(call: () => void): void {
  // Safari has no `requestIdleCallback`.
  const idle = () => (window.requestIdleCallback ? window.requestIdleCallback(call, { timeout: 5000 }) : call())
  if (document.readyState === 'complete') idle()
  else window.addEventListener('load', idle, { once: true })
}
