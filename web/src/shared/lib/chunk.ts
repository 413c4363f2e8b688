import { isConnectionLost, noteFailedRequest } from '@/shared/api/connection'

/** A file of this site failed to load, so the page or part that needs it cannot be shown. */
export class ChunkError extends Error {
  override name = 'ChunkError'
  /** Whether it was not requested because there was no connection. */
  readonly isOffline: boolean
  /** Requests the file again. */
  readonly again: () => Promise<unknown>

  constructor(cause: unknown, again: () => Promise<unknown>) {
    super('a file of the site could not be loaded', { cause })
    this.isOffline = cause === NO_CONNECTION
    this.again = again
  }
}

const NO_CONNECTION = new Error('there is no connection to the server')

/**
 * Loads a module once and caches it. After a failure, the next call loads it again. Rejects with a `ChunkError`. `load`
 * must be a bare `() => import('…')`: a retry may import the same file from another URL instead.
 */
export function chunk<Module>(load: () => Promise<Module>): () => Promise<Module>
export function chunk<Module, Part>(load: () => Promise<Module>, pick: (module: Module) => Part): () => Promise<Part>
export function chunk<Module>(load: () => Promise<Module>, pick: (module: Module) => unknown = (module) => module) {
  let loaded: Promise<unknown> | undefined
  let failures = 0
  /** Missing stylesheets of this module. The module is not shown without them. */
  const missingStyles = new Set<string>()

  const attempt = async (): Promise<Module> => {
    // Some browsers never request a failed module again, so nothing is requested without a connection.
    if (isConnectionLost()) throw NO_CONNECTION
    await restoreStyles()
    const failed = [...failedStyles].find(({ href }) => missingStyles.has(href))
    if (failed) throw new Error(`stylesheet ${failed.href} failed to load`)
    const before = new Set(failedStyles)
    try {
      return await load()
    } catch (error) {
      for (const link of failedStyles) if (!before.has(link)) missingStyles.add(link.href)
      const address = failures > 0 && moduleAddress(error)
      if (!address) throw error
      address.searchParams.set('again', String(failures))
      return import(/* @vite-ignore */ address.href)
    }
  }
  const get = (): Promise<unknown> => {
    loaded ??= attempt()
      .then(pick)
      .catch((error: unknown) => {
        loaded = undefined
        failures += 1
        noteFailedRequest()
        throw new ChunkError(error, get)
      })
    return loaded
  }
  return get
}

/** The URL of the module that `import()` failed to load, if the browser names it. Not a stylesheet. */
function moduleAddress(error: unknown): URL | null {
  const [address] = (error instanceof TypeError && error.message.match(/https?:\/\/\S+\.[jt]sx?\b\S*/)) || []
  return address ? new URL(address) : null
}

/** Links whose stylesheet failed to load. The browser does not retry it, and Vite treats it as loaded. */
const failedStyles = new Set<HTMLLinkElement>()
let restoring: Promise<unknown> | undefined

document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target)
  },
  true,
)

/** Requests all failed stylesheets again and waits until each has loaded or failed. */
function restoreStyles(): Promise<unknown> | undefined {
  if (failedStyles.size > 0) {
    restoring ??= Promise.all([...failedStyles].map(restoreStyle)).finally(() => {
      restoring = undefined
    })
  }
  return restoring
}

/** A stylesheet that takes longer no longer delays the page. */
const STYLE_TIMEOUT_MS = 8000

function restoreStyle(link: HTMLLinkElement): Promise<void> {
  failedStyles.delete(link)
  const next = link.cloneNode() as HTMLLinkElement
  return new Promise((settled) => {
    next.addEventListener('load', () => settled())
    next.addEventListener('error', () => settled())
    setTimeout(settled, STYLE_TIMEOUT_MS)
    link.replaceWith(next)
  })
}
