import { queryOptions } from '@tanstack/react-query'
import { keys } from './keys'

/** The address of the node editor, which is a site of its own. */
const EDITOR = '/comfyui-editor/'

/** What the editor shows: a workflow, the graph of a picture or of a job, or a new graph. */
export type EditorSource = { flow?: string; image?: string; job?: string; new?: 'true' }

/** The address of the editor's frame. */
export function editorAddress(source: EditorSource, readonly: boolean): string {
  const query = new URLSearchParams({ ...source, ...(readonly && { readonly: 'true' }) })
  return query.size > 0 ? `${EDITOR}?${query}` : EDITOR
}

const STALE_MS = 600_000

/** Whether this installation has the editor. Operators can run without it. */
export const editorInstalledQuery = () =>
  queryOptions({
    queryKey: keys.editor.installed,
    queryFn: async ({ signal }): Promise<boolean> => {
      const url = new URL(`${EDITOR}installed.json`, window.location.origin)
      const response = await fetch(new Request(url, { credentials: 'same-origin', signal }))
      return response.ok && (await response.json()).installed === true
    },
    staleTime: STALE_MS,
  })
