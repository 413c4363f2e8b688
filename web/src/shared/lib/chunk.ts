import { isConnectionLost, noteNoAnswer } from '@/shared/api/connection'

/** A file of this site did not arrive: the page or the part that needs it cannot be shown. */
export class ChunkError extends Error {
  override name = 'ChunkError'
  /** Whether it was not even asked for, since there was no connection. */
  readonly isOffline: boolean
  /** Loads the file again. */
  readonly again: () => Promise<unknown>

  constructor(cause: unknown, again: () => Promise<unknown>) {
    super('a file of the site could not be loaded', { cause })
    this.isOffline = cause === NO_CONNECTION
    this.again = again
  }
}

const NO_CONNECTION = new Error('there is no connection to the server')

/**
 * Loads a module once and keeps it. After a failure, the next call loads it again. Rejects with a `ChunkError`.
 *
 * `load` is a bare `() => import('…')`: a second try may import another address of the same file in its place.
 */
export function chunk<Module>(load: () => Promise<Module>): () => Promise<Module>
export function chunk<Module, Part>(load: () => Promise<Module>, pick: (module: Module) => Part): () => Promise<Part>
export function chunk<Module>(load: () => Promise<Module>, pick: (module: Module) => unknown = (module) => module) {
  let loaded: Promise<unknown> | undefined
  let failures = 0
  /** Stylesheets that this module lacks: without them it loads, but it is not shown. */
  const lacking = new Set<string>()

  const attempt = async (): Promise<Module> => {
    // Some browsers never ask again for a module that failed once, so nothing is asked for without a connection.
    if (isConnectionLost()) throw NO_CONNECTION
    await restoreStyles()
    const lost = [...lostStyles].find(({ href }) => lacking.has(href))
    if (lost) throw new Error(`no stylesheet ${lost.href}`)
    const before = new Set(lostStyles)
    try {
      return await load()
    } catch (error) {
      for (const link of lostStyles) if (!before.has(link)) lacking.add(link.href)
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
        noteNoAnswer()
        throw new ChunkError(error, get)
      })
    return loaded
  }
  return get
}

/** The file that an `import()` did not get, where the browser names it; a stylesheet is none. */
function moduleAddress(error: unknown): URL | null {
  const [address] = (error instanceof TypeError && error.message.match(/https?:\/\/\S+\.[jt]sx?\b\S*/)) || []
  return address ? new URL(address) : null
}

/** Links whose stylesheet did not arrive. A browser does not ask again for it, and Vite takes it for loaded. */
const lostStyles = new Set<HTMLLinkElement>()
let restoring: Promise<unknown> | undefined

document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') lostStyles.add(target)
  },
  true,
)

/** Asks again for all stylesheets that did not arrive, and waits for the answers, whatever they are. */
function restoreStyles(): Promise<unknown> | undefined {
  if (lostStyles.size > 0) {
    restoring ??= Promise.all([...lostStyles].map(restoreStyle)).finally(() => {
      restoring = undefined
    })
  }
  return restoring
}

/** A stylesheet that takes longer holds nothing up any more. */
const PATIENCE_MS = 8000

function restoreStyle(link: HTMLLinkElement): Promise<void> {
  lostStyles.delete(link)
  const next = link.cloneNode() as HTMLLinkElement
  return new Promise((settled) => {
    next.addEventListener('load', () => settled())
    next.addEventListener('error', () => settled())
    setTimeout(settled, PATIENCE_MS)
    link.replaceWith(next)
  })
}
