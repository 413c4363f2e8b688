import { chunk } from './chunk'

const loadFilesOf = chunk(
  () => import('./folder-files'),
  ({ filesOf }) => filesOf,
)

/** Passes what was dropped: the files, and those of folders. */
export function takeDropped(dropped: DataTransfer, onFiles: (files: File[]) => void): void {
  const folders = droppedFolders(dropped)
  if (folders) void loadFilesOf().then(async (filesOf) => onFiles(await filesOf(folders)))
  else onFiles([...dropped.files])
}

/** The entries of a drop that has a folder; null if it has only files. Browsers give them only during the event. */
function droppedFolders(dropped: DataTransfer): FileSystemEntry[] | null {
  const entries = [...(dropped.items ?? [])].flatMap((item) => item.webkitGetAsEntry?.() ?? [])
  return entries.some((entry) => entry.isDirectory) ? entries : null
}
