import type { Asset } from '@/shared/api/types'
import { FILES_DATABASE, local, session } from '@/shared/lib/storage'
import type { FormValues } from '@/shared/ui/schema-form/read-form'

/** Shows an uploaded file again; the form keeps only its id. */
export type KnownImage = { id: string; name: string; url: string; thumbnailUrl: string | null; sizeBytes?: number }

export const knownImage = ({ _id: id, name, url, thumbnailUrl, sizeBytes }: Asset): KnownImage => ({
  id,
  name,
  url,
  thumbnailUrl: thumbnailUrl ?? null,
  sizeBytes,
})

export type Draft = { values: FormValues; images: Record<string, KnownImage> }

const PREFIX = 'vg.draft.'
const INDEX = 'vg.drafts'
const KEPT = 40

export const readDraft = (app: string): Draft | null => local.getJson<Draft>(PREFIX + app)

/** Stores the form over a reload; the oldest drafts are dropped. */
export function writeDraft(app: string, draft: Draft): void {
  const used = Object.values(draft.values)
  const images = Object.fromEntries(Object.entries(draft.images ?? {}).filter(([id]) => used.includes(id)))
  local.set(PREFIX + app, JSON.stringify({ values: draft.values, images }))
  const index = (local.getJson<string[]>(INDEX) ?? []).filter((id) => id !== app)
  for (const old of index.slice(KEPT - 1)) local.remove(PREFIX + old)
  local.set(INDEX, JSON.stringify([app, ...index.slice(0, KEPT - 1)]))
}

export const dropDraft = (app: string): void => local.remove(PREFIX + app)

/** Prefix of the runs of simple apps in the session storage. */
export const RUNS_STORAGE = 'vg.simpleApp.'

/** Called on sign-out: drafts may contain the user's pictures. */
export function dropAllDrafts(): void {
  for (const app of local.getJson<string[]>(INDEX) ?? []) local.remove(PREFIX + app)
  local.remove(INDEX)
  session.removeAll(RUNS_STORAGE)
  window.indexedDB?.deleteDatabase(FILES_DATABASE)
}
