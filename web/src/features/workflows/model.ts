import type { Asset, User, Workflow, WorkflowTag } from '@/shared/api/types'
import { parseExact, rawFields, withoutMark } from '@/shared/lib/exact-json'

export const SORTS = ['publishedAt', 'newest', 'oldest', 'like', 'view'] as const
export type WorkflowSort = (typeof SORTS)[number]

export const ADMIN_FILTERS = ['all', 'published', 'unpublished', 'nsfw', 'sfw'] as const
export type AdminFilter = (typeof ADMIN_FILTERS)[number]

export const MAX_TAGS = 5
export const MAX_PICTURES = 16
export const RECOMMENDED_PICTURES = 4
export const MAX_NAME = 100
/** A tag's name on a chip is not longer than this. */
export const MAX_CHIP = 25

export const isAdmin = (user: User | null | undefined): boolean => user?.roles.includes('Admin') ?? false

export const isOwn = (workflow: Pick<Workflow, 'user'>, user: User | null | undefined): boolean =>
  Boolean(user && workflow.user?._id === user._id)

/** The same workflow after a press of the heart. */
export const toggled = (workflow: Workflow): Workflow => ({
  ...workflow,
  isLiked: !workflow.isLiked,
  likeCount: Math.max(0, workflow.likeCount + (workflow.isLiked ? -1 : 1)),
})

/** A tag in the language of the page. */
export const tagName = (tag: { name: string; nameKo: string }, language: string): string =>
  language.startsWith('ko') ? tag.nameKo : tag.name

/** Cut for a chip, with an ellipsis. */
export const shortened = (text: string, limit = MAX_CHIP): string =>
  [...text].length > limit ? `${[...text].slice(0, limit).join('')}…` : text

/** Tags of depth 0 are searched as parents, others as children. */
export const tagSearch = (tag: { _id: string; depth: number }): Record<string, string> =>
  tag.depth === 0 ? { parentTag: tag._id } : { childrenTag: tag._id }

/** The roots of the tree, in the server's order. */
export const rootTags = (tags: WorkflowTag[]): WorkflowTag[] => tags.filter((tag) => tag.depth === 0)

export const coverOf = (workflow: Pick<Workflow, 'cover' | 'thumbnails'>): Asset | null =>
  workflow.cover ?? workflow.thumbnails[0] ?? null

/** What the person edits. */
export type Draft = {
  name: string
  description: string
  tags: string[]
  pictures: Asset[]
  /** One of the pictures; the first where it is none. */
  cover: string | null
}

export const draftOf = (workflow: Workflow): Draft => ({
  name: workflow.name,
  description: workflow.description,
  tags: workflow.workflowTags.map((tag) => tag._id),
  pictures: workflow.thumbnails,
  cover: workflow.cover?._id ?? null,
})

/** What a save sends. A cover that is not among the pictures any more gives way to the first. */
export const changesOf = (draft: Draft) => {
  const thumbnails = draft.pictures.map((picture) => picture._id)
  const cover = draft.cover && thumbnails.includes(draft.cover) ? draft.cover : (thumbnails[0] ?? null)
  return { name: draft.name.trim(), description: draft.description, thumbnails, workflowTags: draft.tags, cover }
}

export const sameDraft = (one: Draft, other: Draft): boolean =>
  JSON.stringify(changesOf(one)) === JSON.stringify(changesOf(other))

export type Step = 'name' | 'description' | 'pictures' | 'tags'

/** What a published post has; only the description may be missing. */
export const stepsDone = (draft: Draft): Record<Step, boolean> => ({
  name: draft.name.trim().length > 0 && [...draft.name.trim()].length <= MAX_NAME,
  description: draft.description.replace(/<(?!img)[^>]*>/g, '').trim().length > 0,
  pictures: draft.pictures.length > 0,
  tags: draft.tags.length > 0,
})

export const mayPublish = (draft: Draft): boolean => {
  const { name, pictures, tags } = stepsDone(draft)
  return name && pictures && tags
}

/** Moves an item to another place. */
export function moved<T>(items: T[], from: number, to: number): T[] {
  const rest = items.filter((_, index) => index !== from)
  const item = items[from]
  return item === undefined ? items : [...rest.slice(0, to), item, ...rest.slice(to)]
}

/** A graph as the server takes it: JSON texts as the file has them, so that no number and no order is lost. */
export type SentGraph = { workflow?: string; output?: string }

/** A file that was read, and the names of what in it is neither of both. */
export type ReadGraph = { graph: SentGraph; dropped: string[] }

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isNode = (value: unknown): boolean => isObject(value) && typeof value.class_type === 'string'

/** What a file may have beside the nodes of a prompt. */
const isBeside = (name: string, value: unknown): boolean =>
  !isObject(value) || !('class_type' in value || 'inputs' in value) || name === 'extra'

/** The nodes of a prompt in API format as they are written; nothing where it is none. */
function promptOf(value: unknown, text: string | undefined): { output: string; dropped: string[] } | null {
  if (!isObject(value) || text === undefined) return null
  const others = Object.keys(value).filter((name) => !isNode(value[name]))
  if (others.length === Object.keys(value).length || !others.every((name) => isBeside(name, value[name]))) return null
  if (others.length === 0) return { output: text, dropped: [] }
  const nodes = [...rawFields(text)].filter(([name]) => !others.includes(name))
  return { output: `{${nodes.map(([name, node]) => `${JSON.stringify(name)}:${node}`).join(',')}}`, dropped: others }
}

const isDrawn = (value: unknown): boolean => isObject(value) && Array.isArray(value.nodes)

/** Reads a file that ComfyUI or this platform saved: what an editor draws, what a worker runs, or both. */
export function readGraph(file: string): ReadGraph | null {
  const text = withoutMark(file).trim()
  let value: unknown
  try {
    value = parseExact(text)
  } catch {
    return null
  }
  if (!isObject(value)) return null
  const whole: Record<string, unknown> = value
  if (isDrawn(whole)) return { graph: { workflow: text }, dropped: [] }
  const fields = rawFields(text)
  const prompt = ['output', 'prompt'].flatMap((name) => promptOf(whole[name], fields.get(name)) ?? [])[0]
  const workflow = isDrawn(whole.workflow) ? fields.get('workflow') : undefined
  if (prompt || workflow) {
    const taken = new Set(['workflow', 'output', 'prompt'])
    const dropped = Object.keys(whole).filter((name) => !taken.has(name) && !isNode(whole[name]))
    return {
      graph: { ...(workflow && { workflow }), ...(prompt && { output: prompt.output }) },
      dropped: [...dropped, ...(prompt?.dropped ?? [])],
    }
  }
  const bare = promptOf(whole, text)
  return bare && { graph: { output: bare.output }, dropped: bare.dropped }
}
