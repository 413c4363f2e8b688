import { describe, expect, it } from 'vitest'
import type { WorkflowTagUse } from '@/shared/api/types'
import { buildTree, mergeTargets, tagPath } from './model'

const tag = (id: string, parentTag: string | null = null): WorkflowTagUse => ({
  _id: id,
  name: id,
  nameKo: `${id}ko`,
  depth: parentTag ? 1 : 0,
  parentTag,
  workflows: 0,
  published: 0,
})
const tags = [tag('style'), tag('use'), tag('photo', 'style'), tag('anime', 'style'), tag('video', 'use')]
const ids = (found: WorkflowTagUse[]) => found.map((one) => one._id)

describe('the tree of tags', () => {
  it('keeps the order of the list on both levels', () => {
    expect(buildTree(tags).map((root) => [root._id, ids(root.children)])).toEqual([
      ['style', ['photo', 'anime']],
      ['use', ['video']],
    ])
  })

  it('offers only merges that the server accepts', () => {
    expect(ids(mergeTargets(tags, tags[2] as WorkflowTagUse))).toEqual(['style', 'use', 'anime', 'video'])
    expect(ids(mergeTargets(tags, tags[0] as WorkflowTagUse))).toEqual(['use'])
  })

  it('names a tag with its group, in the language of the page', () => {
    expect(tagPath(tags, tags[2] as WorkflowTagUse, 'en')).toBe('style › photo')
    expect(tagPath(tags, tags[0] as WorkflowTagUse, 'ko')).toBe('styleko')
  })
})
