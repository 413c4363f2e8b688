/** Browser storage that never throws: private windows and full disks must not break a page. */
function wrap(pick: () => Storage) {
  return {
    get(key: string): string | null {
      try {
        return pick().getItem(key)
      } catch {
        return null
      }
    },
    set(key: string, value: string): void {
      try {
        pick().setItem(key, value)
      } catch {
        // The value is lost with the page; nothing else depends on it.
      }
    },
    remove(key: string): void {
      try {
        pick().removeItem(key)
      } catch {
        // Nothing was stored.
      }
    },
    /** Removes all keys with this prefix. */
    removeAll(prefix: string): void {
      try {
        const storage = pick()
        for (const key of Object.keys(storage)) if (key.startsWith(prefix)) storage.removeItem(key)
      } catch {
        // Nothing was stored.
      }
    },
    /** Reads a JSON value; invalid JSON counts as absent. */
    getJson<T>(key: string): T | null {
      try {
        return JSON.parse(this.get(key) ?? 'null') as T | null
      } catch {
        return null
      }
    },
  }
}

/** The database of files that wait for their upload; see `file-storage.ts`. */
export const FILES_DATABASE = 'vg.files'

export const local = wrap(() => window.localStorage)
export const session = wrap(() => window.sessionStorage)
