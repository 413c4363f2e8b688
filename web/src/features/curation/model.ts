import type { WorkflowTagUse } from '@/shared/api/types'

export const MAX_TAG_NAME = 50

export type TagNode = WorkflowTagUse & { children: WorkflowTagUse[] }

/** Builds the tree of two levels, in the order of the list. */
export function buildTree(tags: WorkflowTagUse[]): TagNode[] {
  return tags
    .filter((tag) => !tag.parentTag)
    .map((root) => ({ ...root, children: tags.filter((tag) => tag.parentTag === root._id) }))
}

/** Tags that this one can be merged into: any other except its children. A tag with children needs another root. */
export function mergeTargets(tags: WorkflowTagUse[], from: WorkflowTagUse): WorkflowTagUse[] {
  const hasChildren = tags.some((tag) => tag.parentTag === from._id)
  return tags.filter((tag) => tag._id !== from._id && tag.parentTag !== from._id && (!hasChildren || !tag.parentTag))
}

/** "Style › Photo", in the language of the page. */
export function tagPath(tags: WorkflowTagUse[], tag: WorkflowTagUse, language: string): string {
  const name = (one: WorkflowTagUse) => (language.startsWith('ko') ? one.nameKo : one.name)
  const parent = tags.find((one) => one._id === tag.parentTag)
  return parent ? `${name(parent)} › ${name(tag)}` : name(tag)
}
