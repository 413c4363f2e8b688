import type { Asset, User, Workflow, WorkflowTag } from '@/shared/api/types'

export const SORTS = ['publishedAt', 'newest', 'oldest', 'like', 'view'] as const
export type WorkflowSort = (typeof SORTS)[number]

export const ADMIN_FILTERS = ['all', 'published', 'unpublished', 'nsfw', 'sfw'] as const
export type AdminFilter = (typeof ADMIN_FILTERS)[number]

export const MAX_TAGS = 5
export const MAX_PICTURES = 16
export const RECOMMENDED_PICTURES = 4
export const MAX_NAME = 100
const MAX_CHIP = 25

export const isAdmin = (user: User | null | undefined): boolean => user?.roles.includes('Admin') ?? false

export const isOwn = (workflow: Pick<Workflow, 'user'>, user: User | null | undefined): boolean =>
  Boolean(user && workflow.user?._id === user._id)

export const toggled = (workflow: Workflow): Workflow => ({
  ...workflow,
  isLiked: !workflow.isLiked,
  likeCount: Math.max(0, workflow.likeCount + (workflow.isLiked ? -1 : 1)),
})

/** A tag in the language of the page. */
export const tagName = (tag: { name: string; nameKo: string }, language: string): string =>
  language.startsWith('ko') ? tag.nameKo : tag.name

export const shortened = (text: string, limit = MAX_CHIP): string =>
  [...text].length > limit ? `${[...text].slice(0, limit).join('')}…` : text

/** Tags of depth 0 are searched as parents, others as children. */
export const tagSearch = (tag: { _id: string; depth: number }): Record<string, string> =>
  tag.depth === 0 ? { parentTag: tag._id } : { childrenTag: tag._id }

export const rootTags = (tags: WorkflowTag[]): WorkflowTag[] => tags.filter((tag) => tag.depth === 0)

export const coverOf = (workflow: Pick<Workflow, 'cover' | 'thumbnails'>): Asset | null =>
  workflow.cover ?? workflow.thumbnails[0] ?? null

export type Draft = {
  name: string
  description: string
  tags: string[]
  pictures: Asset[]
  /** The id of one of the pictures; null uses the first. */
  cover: string | null
}

export const draftOf = (workflow: Workflow): Draft => ({
  name: workflow.name,
  description: workflow.description,
  tags: workflow.workflowTags.map((tag) => tag._id),
  pictures: workflow.thumbnails,
  cover: workflow.cover?._id ?? null,
})

/** The request body. A cover that was removed falls back to the first picture. */
export const changesOf = (draft: Draft) => {
  const thumbnails = draft.pictures.map((picture) => picture._id)
  const cover = draft.cover && thumbnails.includes(draft.cover) ? draft.cover : (thumbnails[0] ?? null)
  return { name: draft.name.trim(), description: draft.description, thumbnails, workflowTags: draft.tags, cover }
}

export const sameDraft = (one: Draft, other: Draft): boolean =>
  JSON.stringify(changesOf(one)) === JSON.stringify(changesOf(other))

export type Step = 'name' | 'description' | 'pictures' | 'tags'

/** What a published post needs; the description is optional. */
export const stepsDone = (draft: Draft): Record<Step, boolean> => ({
  name: draft.name.trim().length > 0 && [...draft.name.trim()].length <= MAX_NAME,
  description: draft.description.replace(/<(?!img)[^>]*>/g, '').trim().length > 0,
  pictures: draft.pictures.length > 0,
  tags: draft.tags.length > 0,
})

export function moved<T>(items: T[], from: number, to: number): T[] {
  const rest = items.filter((_, index) => index !== from)
  const item = items[from]
  return item === undefined ? items : [...rest.slice(0, to), item, ...rest.slice(to)]
}

/** A graph as raw JSON text, so that numbers and key order are kept. */
export type SentGraph = { workflow?: string; output?: string }
