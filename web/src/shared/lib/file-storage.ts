import { randomId } from './random-id'
import { FILES_DATABASE, session } from './storage'

/** A file that waits in this browser until it is uploaded. */
export type StoredFile = { key: string; file: File }

type Row = StoredFile & { tab: string; place: string; at: number }

const STORE = 'files'
/** Older files are deleted: their tab was closed. */
const MAX_AGE_MS = 86_400_000
/** The id of this tab, which a reload keeps. */
const TAB = 'vg.tab'

function tabId(): string {
  const known = session.get(TAB)
  if (known) return known
  const id = randomId()
  session.set(TAB, id)
  return id
}

/**
 * Files of a page that survive a reload of its tab, for example while a guest signs in elsewhere. Like `storage.ts` it
 * never throws: without a database the files last as long as the page.
 */
export const fileStorage = {
  /** The files of a place, oldest first. */
  async read(place: string): Promise<StoredFile[]> {
    const rows = (await run<Row[]>('readonly', (store) => store.getAll())) ?? []
    const isFresh = ({ at }: Row) => Date.now() - at < MAX_AGE_MS
    for (const { key } of rows.filter((row) => !isFresh(row))) void this.remove(key)
    const isHere = (row: Row) => row.tab === tabId() && row.place === place
    return rows.filter((row) => isHere(row) && isFresh(row)).sort((a, b) => a.at - b.at)
  },
  async add(place: string, key: string, file: File): Promise<void> {
    added += 1
    await run('readwrite', (store) =>
      store.put({ tab: tabId(), place, key, file, at: Date.now() + added / 1000 } satisfies Row),
    )
  },
  async remove(key: string): Promise<void> {
    await run('readwrite', (store) => store.delete(key))
  },
}

/** Orders files of the same millisecond. */
let added = 0

let opened: Promise<IDBDatabase> | undefined

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(FILES_DATABASE, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'key' })
    request.onsuccess = () => {
      // An open connection would block the deletion at sign-out.
      request.result.onversionchange = () => {
        request.result.close()
        opened = undefined
      }
      resolve(request.result)
    }
    request.onerror = () => reject(request.error)
    request.onblocked = () => reject(new Error('the database is blocked'))
  })
  opened.catch(() => {
    opened = undefined
  })
  return opened
}

async function run<Result>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest,
): Promise<Result | undefined> {
  try {
    const database = await open()
    return await new Promise((resolve, reject) => {
      const request = act(database.transaction(STORE, mode).objectStore(STORE))
      request.onsuccess = () => resolve(request.result as Result)
      request.onerror = () => reject(request.error)
    })
  } catch {
    // Private windows and full disks have no database.
    return undefined
  }
}
