// First script of the editor's page. It reads the address, adds the XSRF token to requests, refuses requests to other
// sites, and ignores input in read-only frames.
//
// Licence: GPL-3.0-only, like the ComfyUI front end that it runs in (LICENSE.txt).
;(() => {
  const query = new URLSearchParams(location.search)
  const readonly = query.get('readonly') === 'true'
  const config = {
    base: location.pathname.replace(/\/[^/]*$/, ''),
    flow: query.get('flow'),
    image: query.get('image'),
    job: query.get('job'),
    isNew: query.get('new') === 'true',
    readonly,
    post: (message) => {
      if (window.parent !== window) window.parent.postMessage(message, location.origin)
    },
    /** Whether the pointer is on the graph. */
    isInGraph: ({ target }) =>
      target instanceof Element &&
      target.closest('#graph-canvas, #graph-canvas-container, .dom-widget, [data-node-id]') !== null,
  }
  window.__PLATFORM__ = config

  const cookie = (name) => {
    const found = document.cookie.split('; ').find((one) => one.startsWith(`${name}=`))
    return found ? decodeURIComponent(found.slice(name.length + 1)) : ''
  }
  const isOurs = (url) => {
    try {
      return new URL(url, location.href).origin === location.origin
    } catch {
      return false
    }
  }

  const stockFetch = window.fetch.bind(window)
  window.fetch = async (input, init = {}) => {
    const isRequest = input instanceof Request
    const url = isRequest ? input.url : String(input)
    if (/^(blob|data):/.test(url)) return stockFetch(input, init)
    if (!isOurs(url)) throw new TypeError('requests to other sites are blocked')
    const method = (init.method ?? (isRequest ? input.method : 'GET')).toUpperCase()
    let options = init
    if (method !== 'GET' && method !== 'HEAD') {
      const headers = new Headers(init.headers ?? (isRequest ? input.headers : undefined))
      headers.set('X-XSRF-TOKEN', cookie('XSRF-TOKEN'))
      options = { ...init, headers }
    }
    // The page bypasses the browser's cache for the node classes, which the server would often find unchanged.
    const isNodes = new URL(url, location.href).pathname === `${config.base}/api/object_info`
    if (isNodes && options.cache === 'no-store') options = { ...options, cache: 'no-cache' }
    const response = await stockFetch(input, options)
    if (response.status === 401 && !readonly) config.post({ type: 'unauthorized' })
    return response
  }
  // Libraries that use XMLHttpRequest add the XSRF token on their own.
  const stockOpen = XMLHttpRequest.prototype.open
  XMLHttpRequest.prototype.open = function (method, url, ...rest) {
    if (!isOurs(url)) throw new DOMException('requests to other sites are blocked', 'NetworkError')
    return stockOpen.call(this, method, url, ...rest)
  }
  Object.defineProperty(navigator, 'sendBeacon', { value: () => false })

  // The page uses its window's name as the id of its event socket. An id is kept per tab and graph, so that a reload of
  // the whole page continues with the same events. Two frames of one tab must not share an id.
  const randomId = () =>
    [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const clientId = () => {
    if (readonly) return randomId()
    const key = `platform-client:${config.flow ?? config.job ?? config.image ?? ''}`
    try {
      const id = sessionStorage.getItem(key) ?? randomId()
      sessionStorage.setItem(key, id)
      return id
    } catch {
      return randomId()
    }
  }
  if (!/^[0-9a-f]{32}$/.test(window.name)) window.name = clientId()

  if (readonly) ignoreInput()

  /** Runs before the page's own listeners, which could change the graph. Zoom and pan still work. */
  function ignoreInput() {
    document.documentElement.classList.add('platform-readonly')
    const ignore = (event) => {
      event.stopImmediatePropagation()
      event.preventDefault()
    }
    const isCopy = (event) =>
      (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'c' && String(getSelection()) !== ''
    const isView = (event) => ['Escape', '.', '+', '-', '=', 'Tab'].includes(event.key)
    addEventListener('keydown', (event) => isView(event) || isCopy(event) || ignore(event), true)
    for (const type of ['drop', 'dragover', 'paste', 'cut', 'beforeinput', 'dblclick', 'contextmenu']) {
      addEventListener(type, ignore, true)
    }
    addEventListener('pointerdown', (event) => event.button === 2 && config.isInGraph(event) && ignore(event), true)
  }
})()
