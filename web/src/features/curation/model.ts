import type { WorkflowTagUse } from '@/shared/api/types'

/** The longest name of a tag in either language. */
export const MAX_TAG_NAME = 50

export type TagNode = WorkflowTagUse & { children: WorkflowTagUse[] }

/** The tree of two levels out of the list, each level in the order of the list. */
export function treeOf(tags: WorkflowTagUse[]): TagNode[] {
  return tags
    .filter((tag) => !tag.parentTag)
    .map((root) => ({ ...root, children: tags.filter((tag) => tag.parentTag === root._id) }))
}

/** What a tag can be merged into: any other, but none below it; one with children only into another root. */
export function mergeTargets(tags: WorkflowTagUse[], from: WorkflowTagUse): WorkflowTagUse[] {
  const hasChildren = tags.some((tag) => tag.parentTag === from._id)
  return tags.filter((tag) => tag._id !== from._id && tag.parentTag !== from._id && (!hasChildren || !tag.parentTag))
}

/** "Style › Photo", in the language of the page. */
export function placeOf(tags: WorkflowTagUse[], tag: WorkflowTagUse, language: string): string {
  const name = (one: WorkflowTagUse) => (language.startsWith('ko') ? one.nameKo : one.name)
  const parent = tags.find((one) => one._id === tag.parentTag)
  return parent ? `${name(parent)} › ${name(tag)}` : name(tag)
}
