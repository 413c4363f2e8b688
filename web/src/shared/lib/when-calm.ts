/** Calls once the page has loaded and the browser has nothing better to do. */
export function whenCalm(call: () => void): void {
  // Safari has no idle time to tell of.
  const idle = () => (window.requestIdleCallback ? window.requestIdleCallback(call, { timeout: 5000 }) : call())
  if (document.readyState === 'complete') idle()
  else window.addEventListener('load', idle, { once: true })
}
