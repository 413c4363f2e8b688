/** Most files that are read of dropped folders, and how deep. */
const MOST_FILES = 200
const MOST_LEVELS = 8
/** Files that systems put into folders. */
const OF_SYSTEMS = /^(\.|Thumbs\.db$|desktop\.ini$)/i

/** The files of these entries and of their folders, by name. Unreadable ones are left out. */
export async function filesOf(entries: FileSystemEntry[]): Promise<File[]> {
  const found: File[] = []
  await collect(entries, MOST_LEVELS, found)
  return found
}

async function collect(entries: FileSystemEntry[], levels: number, found: File[]): Promise<void> {
  const sorted = entries.toSorted((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }))
  for (const entry of sorted) {
    if (found.length >= MOST_FILES) return
    if (entry.isFile) {
      const file = await fileOf(entry as FileSystemFileEntry)
      if (file && !OF_SYSTEMS.test(file.name)) found.push(file)
    } else if (levels > 0) {
      await collect(await childrenOf(entry as FileSystemDirectoryEntry), levels - 1, found)
    }
  }
}

const fileOf = (entry: FileSystemFileEntry): Promise<File | null> =>
  new Promise((resolve) => entry.file(resolve, () => resolve(null)))

/** A reader returns a part of a folder at a time, and at the end an empty one. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])))
    if (part.length === 0) return all
    all.push(...part)
  }
}
